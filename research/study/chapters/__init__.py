"""The chapters of the page of a study, each made from its figures."""

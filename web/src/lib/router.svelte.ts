// Where the page is: its address, and nothing else, says what it shows.

class Router {
  path = $state(location.pathname);
  query = $state.raw(new URLSearchParams(location.search));
  /** The address that one came from within the page, if any. */
  before = "";

  constructor() {
    addEventListener("popstate", () => this.read());
    addEventListener("click", (event) => this.follow(event));
  }

  /** Goes somewhere else in the page. */
  go(address: string, replace = false): void {
    if (replace) history.replaceState(null, "", address);
    else history.pushState(null, "", address);
    this.read();
    if (!replace) scrollTo(0, 0);
  }

  private read(): void {
    if (this.path !== location.pathname) this.before = this.address();
    this.path = location.pathname;
    this.query = new URLSearchParams(location.search);
  }

  private address(): string {
    const query = this.query.toString();
    return query ? `${this.path}?${query}` : this.path;
  }

  /** A plain click on a link to somewhere in the page loads nothing anew. */
  private follow(event: MouseEvent): void {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link || event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    if (link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
    if (link.pathname.startsWith("/api")) return;
    event.preventDefault();
    if (link.pathname === location.pathname && link.hash) {
      document.getElementById(link.hash.slice(1))?.scrollIntoView();
      history.replaceState(null, "", link.href);
      return;
    }
    this.go(link.pathname + link.search + link.hash);
  }
}

export const router = new Router();

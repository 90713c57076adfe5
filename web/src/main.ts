import "@fontsource-variable/jost/wght.css";
import "./app.css";

import { mount } from "svelte";

import App from "./App.svelte";
import { startOffline } from "./lib/offline";

const target = document.getElementById("app");
if (target) mount(App, { target });
startOffline();

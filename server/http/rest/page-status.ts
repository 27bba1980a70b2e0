import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';

const KEY = Symbol.for('perpetua.page-response');

type Holder = { [KEY]?: AsyncLocalStorage<ServerResponse> };

/** Next bundles its own copies of these modules. All copies share the symbol. */
function responses(): AsyncLocalStorage<ServerResponse> {
  const holder = globalThis as Holder;
  holder[KEY] ??= new AsyncLocalStorage();
  return holder[KEY];
}

/** Runs `work`, which renders a page, so that the page can set the status of `response`. */
export const withPageStatus = <T>(response: ServerResponse, work: () => T): T => responses().run(response, work);

/** Sets the status of the page being rendered. Next supports only 200, 404 and errors, and a link can be gone (410). */
export function setPageStatus(status: number): void {
  const response = responses().getStore();
  if (response && !response.headersSent) response.statusCode = status;
}

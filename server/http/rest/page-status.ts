import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';

const KEY = Symbol.for('perpetua.page-response');

type Holder = { [KEY]?: AsyncLocalStorage<ServerResponse> };

/** Next bundles its own copies of these modules; the symbol is what all copies share. */
function responses(): AsyncLocalStorage<ServerResponse> {
  const holder = globalThis as Holder;
  holder[KEY] ??= new AsyncLocalStorage();
  return holder[KEY];
}

/** Does `work` so that the page it renders can choose the status of `response`. */
export const withPageStatus = <T>(response: ServerResponse, work: () => T): T => responses().run(response, work);

/** The status of the page that is being rendered. Next knows only 200, 404 and failures, and a link can be gone (410). */
export function setPageStatus(status: number): void {
  const response = responses().getStore();
  if (response && !response.headersSent) response.statusCode = status;
}

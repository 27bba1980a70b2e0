import { createRequire } from 'node:module';
import type { Page, Request } from '@playwright/test';

/** What Playwright has of a WebSocket. */
interface Socket {
  send(message: string, ...more: unknown[]): void;
  emit(event: string, message: unknown, ...more: unknown[]): boolean;
}
type Sockets = Record<'ws', { readonly prototype: Socket }>;

/** Playwright 1.65 sets prefers-color-scheme in every context. Firefox ESR 153 does not know how, so that no context would open. */
const MEDIA = 'emulation.setMediaFeaturesOverride';
const DOWNLOADS = ['browsingContext.downloadWillBegin', 'browsingContext.downloadEnd'];

/**
 * Lets Playwright drive Firefox ESR, which lacks two parts of WebDriver BiDi: emulated media are not set, and a download is known
 * by its address.
 */
export function completeBidi(): void {
  const { ws }: Sockets = createRequire(import.meta.url)('playwright-core/lib/utilsBundle');
  const { prototype } = ws;
  const { send, emit } = prototype;
  prototype.send = function (message, ...more) {
    const { id, method } = JSON.parse(message);
    if (method !== MEDIA) return send.call(this, message, ...more);
    const answer = JSON.stringify({ type: 'success', id, result: {} });
    queueMicrotask(() => this.emit('message', Buffer.from(answer), false));
  };
  prototype.emit = function (event, message, ...more) {
    if (event !== 'message') return emit.call(this, event, message, ...more);
    const { method, params, ...rest } = JSON.parse(String(message));
    if (!DOWNLOADS.includes(method)) return emit.call(this, event, message, ...more);
    const known = { ...rest, method, params: { download: params.url, ...params } };
    return emit.call(this, event, Buffer.from(JSON.stringify(known)), ...more);
  };
}

/** What Chromium logs about a request that got no response, up to the reason. */
export const NO_RESPONSE = 'net::ERR_';

/** What Firefox reports as an error when a navigation cancels the download of a font: NS_BINDING_ABORTED. */
export const CANCELLED_FONT = 'status=2152398850';

/** Collects failed requests, which Firefox does not log, in the words of Chromium's log. Lets `fill` type, and bodyOf find bodies. */
export async function prepareFirefox(page: Page, pageErrors: string[]): Promise<void> {
  const collect = (problem: string, url: string) => pageErrors.push(`Failed to load resource: ${problem} ${url}`);
  page.on('response', (response) => {
    if (response.status() >= 400) collect(`the server responded with a status of ${response.status()}`, response.url());
  });
  page.on('requestfailed', (request) => {
    // A navigation cancels what has not arrived yet.
    if (request.failure()?.errorText !== 'NS_BINDING_ABORTED') collect(`${NO_RESPONSE}FAILED`, request.url());
  });
  await page.context().addInitScript(() => {
    // Playwright sets `value`, which React takes for its own change: only typing is one of a person.
    Object.defineProperty(window, '__pw_bidiInsertText', {
      get: () => (text: string) => void document.execCommand('insertText', false, text),
      set: () => undefined,
    });
    const sentBodies: Record<string, unknown> = {};
    const { fetch } = window;
    window.fetch = (input, init) => {
      const { pathname } = new URL(input instanceof window.Request ? input.url : input, location.href);
      sentBodies[pathname] = init?.body;
      return fetch(input, init);
    };
    Object.assign(window, { sentBodies });
  });
}

/** The body of a request; in Firefox, of the last one to its path. */
export async function bodyOf(request: Request): Promise<string> {
  const path = new URL(request.url()).pathname;
  const find = (path: string) => (window as unknown as { sentBodies: Record<string, string> }).sentBodies[path] ?? '';
  return request.postData() ?? request.frame().evaluate(find, path);
}

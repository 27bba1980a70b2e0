import { unshortened } from '../../../protocol/guardian-links.ts';

const LINK = /^(\/api)?(\/(?:guardian\/(?:accept|confirm-recovery)|mail\/unsubscribe)\/[^/]+)\/?$/;

/**
 * The path of the page for a link sent by mail, or null if the API responds: the same address is a page for a browser
 * and JSON for a program (protocol §4). Short links are pages only.
 */
export function linkPage(method: string, path: string, accept: string | undefined): string | null {
  if (method !== 'GET' && method !== 'HEAD') return null;
  const [, api, page = null] = LINK.exec(unshortened(path)) ?? [];
  return page === null || (api && prefersJson(accept)) ? null : page;
}

/** Whether an Accept header (RFC 9110 §12.5.1) prefers application/json, or ranks it equal to HTML. */
export function prefersJson(accept = ''): boolean {
  if (!/json/i.test(accept)) return false;
  const weights = new Map(accept.split(',').map(weighted));
  const json = weights.get('application/json') ?? 0;
  const html = weights.get('text/html') ?? weights.get('text/*') ?? weights.get('*/*') ?? 0;
  return json > 0 && json >= html;
}

function weighted(range: string): [type: string, weight: number] {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  return [type, weight === undefined ? 1 : Number(weight) || 0];
}

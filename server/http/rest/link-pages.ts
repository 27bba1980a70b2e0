import { unshortened } from '../../../protocol/guardian-links.ts';
import { prefersJson } from './accept-header.ts';

const LINK = /^(\/api)?(\/(?:guardian\/(?:accept|confirm-recovery)|mail\/unsubscribe|alerts\/confirm)\/[^/]+)\/?$/;

/**
 * The path of the page for a link sent by mail, or null if the API responds: the same address is a page for a browser
 * and JSON for a program (protocol §4). Short links are pages only.
 */
export function linkPage(method: string, path: string, accept: string | undefined): string | null {
  if (method !== 'GET' && method !== 'HEAD') return null;
  const [, api, page = null] = LINK.exec(unshortened(path)) ?? [];
  return page === null || (api && prefersJson(accept)) ? null : page;
}

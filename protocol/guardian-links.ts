import type { LinkKind } from './operation.ts';

/** The addresses of the link of a guardian, or to a holder's new address: that of the API (protocol §4), and the short one that people get. */
const PATHS: Readonly<Record<LinkKind | 'alert', { readonly api: string; readonly short: string }>> = {
  invitation: { api: '/api/guardian/accept/', short: '/g/' },
  recovery: { api: '/api/guardian/confirm-recovery/', short: '/r/' },
  alert: { api: '/api/alerts/confirm/', short: '/a/' },
};

const ALL = Object.values(PATHS);

/** The address in responses of the API. `publicUrl` has no slash at its end. */
export const apiLink = (publicUrl: string, kind: LinkKind, token: string): string =>
  `${publicUrl}${PATHS[kind].api}${token}`;

/** The address in mails, QR codes and pages. */
export const shortLink = (publicUrl: string, kind: LinkKind | 'alert', token: string): string =>
  `${publicUrl}${PATHS[kind].short}${token}`;

/** The short address of a link that the API returned. */
export const shortened = (link: string): string => ALL.reduce((url, { api, short }) => url.replace(api, short), link);

/** The path that a short path stands for, without `/api`; any other path stays. */
export const unshortened = (path: string): string =>
  ALL.reduce(
    (long, { api, short }) => (long.startsWith(short) ? api.slice('/api'.length) + long.slice(short.length) : long),
    path,
  );

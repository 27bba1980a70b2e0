import type { GuardianRole } from '../../protocol/entities/guardian.ts';
import { openForBrowser, type SealedForBrowser, sealForBrowser } from '../_keys/browser-seal.ts';
import { untilRead } from '../_keys/read.ts';
import { readStore, withStore } from '../_keys/store.ts';

/** A link to pass on. */
export interface GuardianLink {
  readonly role: GuardianRole;
  readonly url: string;
}

export interface KeptRequest {
  readonly requestId: string;
  /** ISO 8601. */
  readonly expiresAt: string;
  /** Empty where the request was made on another device. */
  readonly links: readonly GuardianLink[];
}

/** A recovery that was begun in this browser; browser-copy.ts has the key. The key and the links are stored encrypted. */
export interface KeptRecovery {
  readonly beoId: string;
  readonly domain: string;
  /** The new key, lower-case hex. */
  readonly publicKey: string;
  /** The identity's key when the new one was made. */
  readonly formerKey: string;
  readonly request: KeptRequest | null;
  readonly recovered: boolean;
}

const PREFIX = 'perpetua-recovery:';
/** The links of one request for each identity. */
const LINKS = { database: 'perpetua-recovery', store: 'links' };

/** Waits until the storage can be read; without its links where the browser has lost them. */
export async function readKept(beoId: string, signal: AbortSignal): Promise<KeptRecovery | null> {
  const kept = readStored(beoId);
  if (!kept?.request) return kept;
  if (kept.request.links.length === 0) {
    return { ...kept, request: { ...kept.request, links: await readLinks(beoId, kept.request.requestId, signal) } };
  }
  // An earlier version stored the links in the clear, and so does this one until the browser can store them encrypted.
  await sealLinks(beoId, kept.request);
  return kept;
}

function readStored(beoId: string): KeptRecovery | null {
  try {
    return parsed(localStorage.getItem(PREFIX + beoId));
  } catch {
    return null;
  }
}

/** The recoveries that were begun in this browser and are not finished. */
export function readUnfinished(): KeptRecovery[] {
  try {
    const names = Object.keys(localStorage).filter((name) => name.startsWith(PREFIX));
    return names.flatMap((name) => parsed(localStorage.getItem(name)) ?? []).filter(({ recovered }) => !recovered);
  } catch {
    return [];
  }
}

/** Does nothing where the browser refuses to store; the page then warns where it could not store the key either. */
export async function writeKept(kept: KeptRecovery): Promise<void> {
  const { beoId, request } = kept;
  store(kept);
  if (!request) await dropLinks(beoId);
  else if (request.links.length > 0) await sealLinks(beoId, request);
}

function store(kept: KeptRecovery): void {
  try {
    localStorage.setItem(PREFIX + kept.beoId, JSON.stringify(kept));
  } catch {}
}

/** Removes the links of a request from what is stored in the clear, once they are stored encrypted. */
async function sealLinks(beoId: string, request: KeptRequest): Promise<void> {
  if (!(await writeLinks(beoId, request))) return;
  // Another tab may have stored something else meanwhile.
  const stored = readStored(beoId);
  if (stored?.request?.requestId === request.requestId) store({ ...stored, request: { ...stored.request, links: [] } });
}

export async function forgetKept(beoId: string): Promise<void> {
  try {
    localStorage.removeItem(PREFIX + beoId);
  } catch {}
  await dropLinks(beoId);
}

async function readLinks(beoId: string, requestId: string, signal: AbortSignal): Promise<GuardianLink[]> {
  const read = () => readStore<SealedForBrowser, SealedForBrowser | undefined>(LINKS, (store) => store.get(beoId));
  const sealed = await untilRead(read, signal);
  try {
    const bytes = sealed && (await openForBrowser(requestId, sealed));
    return bytes ? JSON.parse(new TextDecoder().decode(bytes)) : [];
  } catch {
    return [];
  }
}

/** False where the browser refuses. */
async function writeLinks(beoId: string, { requestId, links }: KeptRequest): Promise<boolean> {
  try {
    const sealed = await sealForBrowser(requestId, new TextEncoder().encode(JSON.stringify(links)));
    await withStore<SealedForBrowser, void>(LINKS, (store) => store.put(beoId, sealed));
    return true;
  } catch {
    return false;
  }
}

async function dropLinks(beoId: string): Promise<void> {
  await withStore(LINKS, (store) => store.delete(beoId)).catch(() => undefined);
}

/** Only this page writes these values, so a check of two members suffices. */
function parsed(text: string | null): KeptRecovery | null {
  if (text === null) return null;
  try {
    const kept = JSON.parse(text) as KeptRecovery;
    return typeof kept?.publicKey === 'string' && typeof kept.domain === 'string' ? kept : null;
  } catch {
    return null;
  }
}

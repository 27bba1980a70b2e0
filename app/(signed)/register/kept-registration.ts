import { readTabDraft, writeTabDraft } from '../../_keys/tab-draft.ts';
import { NOTHING_TYPED, type Registration, type TypedRegistration } from './register-flow.ts';

/** An institution that was registered in this tab and whose key this browser does not keep yet. Both members are public. */
export interface KeptRegistration {
  readonly domain: string;
  readonly ieoId: string;
}

const REGISTERED = 'registered';
const ANSWERS = 'register';
const TYPED = 'register-typed';

/** Lets a reload continue after the registration. Where the browser stores nothing, the key can be imported later. */
export function writeRegistration(registration: KeptRegistration | null): void {
  writeTabDraft(REGISTERED, registration);
}

export function readRegistration(): KeptRegistration | null {
  const { domain, ieoId } = readTabDraft<KeptRegistration>(REGISTERED) ?? {};
  return typeof domain === 'string' && typeof ieoId === 'string' ? { domain, ieoId } : null;
}

/** Lets a reload continue with the answers so far. */
export const writeAnswers = (answers: Registration | null): void => writeTabDraft(ANSWERS, answers);

/** Null without all of them, as from an earlier version. */
export function readAnswers(): Registration | null {
  const { domain, ieoType, displayName, ...details } = readTabDraft<Registration>(ANSWERS) ?? {};
  const isWhole = typeof domain === 'string' && ieoType !== undefined && typeof displayName === 'string';
  return isWhole ? { country: '', jurisdiction: '', legalId: '', ...details, domain, ieoType, displayName } : null;
}

/** Lets a reload continue with what was typed since. */
export const writeTyped = (typed: TypedRegistration | null): void => writeTabDraft(TYPED, typed);

export function readTyped(): TypedRegistration | null {
  const typed = readTabDraft<TypedRegistration>(TYPED);
  return typed && { ...NOTHING_TYPED, ...typed };
}

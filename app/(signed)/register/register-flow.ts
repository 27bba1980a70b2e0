import type { IeoType } from '../../../protocol/entities/ieo.ts';

/** The numbered screens, in order; each is a step in the address (`?step=domain`). */
export const STEPS = ['domain', 'type', 'name', 'public', 'key', 'send', 'browser'] as const;
export type Step = (typeof STEPS)[number];

/** The display name and optional details; empty where not given. */
export interface Naming {
  readonly displayName: string;
  readonly country: string;
  readonly jurisdiction: string;
  readonly legalId: string;
}

/** What becomes public with the registration, besides the key. */
export interface Registration extends Naming {
  readonly domain: string;
  readonly ieoType: IeoType;
}

/** What a reload finds again. */
export interface Answers {
  readonly domain: string | null;
  readonly ieoType: IeoType | null;
  readonly naming: Naming | null;
  /** Whether the person has seen what becomes public. */
  readonly agreed: boolean;
}

interface Answering extends Answers {
  readonly at: 'answering';
  /** Whether the person has a checked copy of the key. */
  readonly copied: boolean;
}

export type State = Answering | { readonly at: 'registered'; readonly domain: string; readonly ieoId: string };

export type Event =
  | { readonly type: 'domainChosen'; readonly domain: string }
  | { readonly type: 'typeChosen'; readonly ieoType: IeoType }
  | { readonly type: 'named'; readonly naming: Naming }
  | { readonly type: 'agreed' | 'copied' }
  | { readonly type: 'registered'; readonly ieoId: string }
  /** Answered before a reload. */
  | { readonly type: 'answersFound'; readonly answers: Partial<Answers> }
  /** Registered before a reload. */
  | { readonly type: 'resumed'; readonly domain: string; readonly ieoId: string };

export const FIRST: Answering = {
  at: 'answering',
  domain: null,
  ieoType: null,
  naming: null,
  agreed: false,
  copied: false,
};

/** The next state; events that do not apply to a state are ignored. */
export function next(state: State, event: Event): State {
  if (state.at === 'registered') return state;
  switch (event.type) {
    case 'domainChosen': {
      const { domain } = event;
      return { ...state, domain, copied: state.copied && domain === state.domain };
    }
    case 'answersFound':
      return { ...FIRST, ...event.answers };
    case 'typeChosen':
      return { ...state, ieoType: event.ieoType };
    case 'named':
      return { ...state, naming: event.naming };
    case 'agreed':
      return registrationIn(state) ? { ...state, agreed: true } : state;
    case 'copied':
      return state.agreed && state.domain !== null ? { ...state, copied: true } : state;
    case 'registered': {
      const { domain } = state;
      return firstOpen(state) === 'send' && domain !== null ? { at: 'registered', domain, ieoId: event.ieoId } : state;
    }
    case 'resumed':
      return { at: 'registered', domain: event.domain, ieoId: event.ieoId };
  }
}

/** The screen, with its data. */
export type Screen =
  | { readonly at: 'domain'; readonly domain: string | null }
  | { readonly at: 'type'; readonly ieoType: IeoType | null }
  | { readonly at: 'name'; readonly naming: Naming | null }
  | { readonly at: 'public'; readonly registration: Registration }
  | { readonly at: 'key'; readonly domain: string }
  | { readonly at: 'send'; readonly registration: Registration }
  | { readonly at: 'browser'; readonly domain: string; readonly ieoId: string };

/** The screen for the requested step, or the first unanswered one before it; one screen after the registration. */
export function screenOf(requested: string | null, state: State): Screen {
  if (state.at === 'registered') return { at: 'browser', domain: state.domain, ieoId: state.ieoId };
  const wanted = STEPS.find((step) => step === requested) ?? 'domain';
  const open = firstOpen(state);
  const step = STEPS.indexOf(wanted) < STEPS.indexOf(open) ? wanted : open;
  const registration = registrationIn(state);
  if (step === 'type') return { at: 'type', ieoType: state.ieoType };
  if (step === 'name') return { at: 'name', naming: state.naming };
  if (registration && step === 'key') return { at: 'key', domain: registration.domain };
  if (registration && (step === 'public' || step === 'send')) return { at: step, registration };
  return { at: 'domain', domain: state.domain };
}

function firstOpen({ domain, ieoType, naming, agreed, copied }: Answering): Exclude<Step, 'browser'> {
  if (domain === null) return 'domain';
  if (ieoType === null) return 'type';
  if (naming === null) return 'name';
  if (!agreed) return 'public';
  return copied ? 'send' : 'key';
}

const registrationIn = ({ domain, ieoType, naming }: Answering): Registration | null =>
  domain !== null && ieoType !== null && naming !== null ? { domain, ieoType, ...naming } : null;

/** The domain that needs a key: once the person has seen what becomes public. */
export const keyDomain = (state: State): string | null =>
  state.at === 'registered' || state.agreed ? state.domain : null;

/** The signed fields of createIEO (protocol §1); empty details are left out. */
export function signedFields(registration: Registration, publicKey: string): Record<string, string> {
  const { domain, ieoType, displayName, ...details } = registration;
  const given = Object.entries(details).filter(([, value]) => value !== '');
  return { domain, ieoType, displayName, publicKey, ...Object.fromEntries(given) };
}

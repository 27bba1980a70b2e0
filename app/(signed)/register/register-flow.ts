import type { Operations } from '../../../client/types.ts';
import type { IeoType } from '../../../protocol/entities/ieo.ts';
import type { Flow } from '../../_wizard/step-order.ts';

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

export const NO_ANSWERS: Answers = { domain: null, ieoType: null, naming: null, agreed: false };

export interface Registering {
  readonly answers: Answers;
  /** Whether the person has a copy of the key. */
  readonly hasCopy: boolean;
  /** Whether the key is sealed under the passkey or the passphrase of this browser. */
  readonly isSealed: boolean;
  /** Whether the institution is registered, and this browser does not keep its key yet. */
  readonly isRegistered: boolean;
}

type Numbered = 'domain' | 'type' | 'name' | 'public' | 'key' | 'here' | 'send';

export const REGISTER: Flow<Registering, Numbered, 'keep'> = {
  steps: [
    { name: 'domain', isDone: ({ answers }) => answers.domain !== null },
    { name: 'type', isDone: ({ answers }) => answers.ieoType !== null },
    { name: 'name', isDone: ({ answers }) => answers.naming !== null },
    { name: 'public', isDone: ({ answers }) => answers.agreed },
    { name: 'key', isDone: ({ hasCopy }) => hasCopy },
    { name: 'here', isDone: ({ isSealed }) => isSealed },
    { name: 'send', back: 'public' },
  ],
  only: ({ isRegistered }) => (isRegistered ? 'keep' : null),
};

/** What is registered; null while an answer is missing. */
export const registrationIn = ({ domain, ieoType, naming }: Answers): Registration | null =>
  domain !== null && ieoType !== null && naming !== null ? { domain, ieoType, ...naming } : null;

/** The signed fields of createIEO (protocol §1); empty details are left out. */
export function signedFields(registration: Registration, publicKey: string): Operations['createIEO']['fields'] {
  const { domain, ieoType, displayName, ...details } = registration;
  const given = Object.entries(details).filter(([, value]) => value !== '');
  return { domain, ieoType, displayName, publicKey, ...Object.fromEntries(given) };
}

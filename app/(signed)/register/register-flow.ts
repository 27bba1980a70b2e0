import type { Operations } from '../../../client/types.ts';
import type { IeoType } from '../../../protocol/entities/ieo.ts';
import type { Flow } from '../../_wizard/step-order.ts';

/** What becomes public with the registration, besides the key. Details are empty where not given. */
export interface Registration {
  readonly domain: string;
  readonly ieoType: IeoType;
  readonly displayName: string;
  readonly country: string;
  readonly jurisdiction: string;
  readonly legalId: string;
}

/** The answers so far. */
export interface TypedRegistration extends Omit<Registration, 'domain' | 'ieoType'> {
  /** Null while it follows the name. */
  readonly domain: string | null;
  readonly ieoType: IeoType | null;
}

export const NOTHING_TYPED: TypedRegistration = {
  displayName: '',
  domain: null,
  ieoType: null,
  country: '',
  jurisdiction: '',
  legalId: '',
};

export interface Registering {
  /** Null before it is filled in. */
  readonly registration: Registration | null;
  /** Whether the person has a copy of the key. */
  readonly hasCopy: boolean;
  /** Whether the key is sealed under the passkey or the passphrase of this browser. */
  readonly isSealed: boolean;
  /** Whether the institution is registered, and this browser does not keep its key yet. */
  readonly isRegistered: boolean;
  /** Whether this browser keeps its key. */
  readonly isDone: boolean;
}

type Numbered = 'about' | 'key' | 'here' | 'send';

export const REGISTER: Flow<Registering, Numbered, 'keep' | 'done'> = {
  steps: [
    { name: 'about', isDone: ({ registration }) => registration !== null },
    { name: 'key', isDone: ({ hasCopy }) => hasCopy },
    { name: 'here', isDone: ({ isSealed }) => isSealed },
    { name: 'send' },
  ],
  only: ({ isRegistered, isDone }) => (isDone ? 'done' : isRegistered ? 'keep' : null),
};

/** The signed fields of createIEO (protocol §1); empty details are left out. */
export function signedFields(registration: Registration, publicKey: string): Operations['createIEO']['fields'] {
  const { domain, ieoType, displayName, ...details } = registration;
  const given = Object.entries(details).filter(([, value]) => value !== '');
  return { domain, ieoType, displayName, publicKey, ...Object.fromEntries(given) };
}

import type { CertLevel, IeoType } from './entities/ieo.ts';
import type { Intent } from './entities/intents.ts';
import type { Decision } from './entities/proposal.ts';
import type { Instant } from './entities/recorded.ts';

/** A certification as an entry states it; an end of null is none. */
export interface StatedCertification {
  readonly level: CertLevel;
  readonly until: Instant | null;
}

/** The addresses of an institution; null where it has none. */
export interface StatedContacts {
  readonly api: string | null;
  readonly webhook: string | null;
}

/** What entries of a function state; `before` is what one replaced, null if that is unknown. Of other functions there is no more to say. */
export interface FactsByFunction {
  readonly createIEO: { readonly ieoType: IeoType };
  readonly rotateKey: { readonly before: string; readonly key: string };
  readonly updateRecovery: { readonly guardians: number };
  readonly confirmRecovery: {
    /** Of the same request, this one included. */
    readonly confirmations: number;
    /** Whether it replaced the key. Two who signed one request count as having done so once the identity was recovered then or later. */
    readonly isExecuted: boolean;
  };
  readonly updateContacts: { readonly contacts: StatedContacts; readonly before: StatedContacts | null };
  readonly grantConsent: {
    readonly grantee: string | null;
    readonly isSelf: boolean;
    readonly intents: readonly Intent[];
    readonly until: Instant | null;
  };
  readonly revokeToken: { readonly grantee: string };
  readonly revokeAllFromIEO: { readonly grantee: string };
  readonly revokeByIntent: { readonly intent: Intent };
  readonly submitRecords: { readonly grantee: string | null; readonly records: number };
  readonly openProposal: ProposalFacts;
  readonly approveProposal: ProposalFacts;
  readonly updateCertification: {
    readonly certification: StatedCertification;
    readonly before: StatedCertification | null;
  };
  readonly beginEpoch: { readonly last: number };
}

export interface ProposalFacts {
  readonly action: Decision['action'];
  readonly domain: string;
  readonly isExecuted: boolean;
  /** Only of a change of the certification. */
  readonly certification: StatedCertification | null;
  readonly before: StatedCertification | null;
}

export type StatedFunction = keyof FactsByFunction;
export type FactsOf<Function extends StatedFunction> = { readonly function: Function } & FactsByFunction[Function];
export type EntryFacts = { [Function in StatedFunction]: FactsOf<Function> }[StatedFunction];

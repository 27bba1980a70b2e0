import type { BeoView } from '../../../../protocol/entities/beo.ts';
import type { GuardianRole } from '../../../../protocol/ids.ts';
import type { Invitation } from '../../../../protocol/operation.ts';
import type { Steps } from '../../../_ui/use-step.ts';
import type { KnownGuardians } from './known-guardians.ts';
import type { GuardiansStatus, Place } from './status.ts';
import type { Sending } from './use-sending.ts';

/** A guardian as an argument of a message: `named` by the holder, or known by the place only. */
export type Who = Readonly<{ role: 'named'; name: string } | { role: GuardianRole; name: '' }>;

/** What has just been done. */
export type Outcome =
  | { readonly kind: 'passed' | 'enabled' | 'required' }
  | { readonly kind: 'confirmed' | 'removed' | 'gone' | 'withdrawn'; readonly who: Who };

/** Whose words the holder has compared, by guardian_id; the key is hex. */
export interface Compared {
  readonly guardianId: string;
  readonly publicKey: string;
}

/** What every screen of the guardians is given. */
export interface Flow {
  readonly view: BeoView;
  /** As this browser keeps it, whatever a read says. */
  readonly beoId: string;
  readonly domain: string;
  readonly guardiansStatus: GuardiansStatus;
  readonly steps: Steps;
  readonly focus: boolean;
  readonly sending: Sending;
  /** Whether the service writes to guardians who have a mail address. */
  readonly mails: boolean;
  /** Whom the holder has named, as far as the key is open. */
  readonly known: KnownGuardians;
  who(place: Place): Who;
  /** A guardian by itself: “First guardian (Maria)”. */
  nameOf(place: Place): string;
  /** The words were compared, and were the same: this key is confirmed, and no other that a later read may show. */
  onCompared(compared: Compared): void;
  onLinks(links: readonly Invitation[]): void;
  onDone(outcome: Outcome): void;
}

import type { KeptIdentity, SealedByPasskey } from '../../_keys/identities.ts';
import type { OpenedKey } from '../../_keys/secret.ts';
import type { Failure } from '../../_trpc/failure.ts';

/** `inForce`: the identity already has the new key, but this browser has not stored it. */
type NewKey = { readonly key: OpenedKey; readonly inForce: boolean };

export type Step =
  | { readonly at: 'idle'; readonly isDone: boolean }
  | { readonly at: 'explain' | 'failed' }
  | (NewKey & { readonly at: 'copy' | 'hasCopy' | 'seal' })
  | {
      readonly at: 'sign';
      readonly key: OpenedKey;
      /** The key under the passphrase of this browser. */
      readonly file: string;
      readonly sending: boolean;
      readonly failure: Failure | null;
    }
  | {
      readonly at: 'passkey';
      readonly key: OpenedKey;
      readonly identity: KeptIdentity;
      /** The passkey of the old key. */
      readonly existing: SealedByPasskey | null;
    };

export type Event =
  | { readonly type: 'started' | 'cancelled' | 'keyFailed' | 'copied' | 'copyWanted' | 'sent' | 'finished' }
  | (NewKey & { readonly type: 'keyMade'; readonly hasCopy: boolean })
  | { readonly type: 'sealed'; readonly file: string }
  | { readonly type: 'refused'; readonly failure: Failure | null }
  | {
      readonly type: 'passkeyOffered';
      readonly identity: KeptIdentity;
      readonly existing: SealedByPasskey | null;
    };

export const FIRST: Step = { at: 'idle', isDone: false };
const DONE: Step = { at: 'idle', isDone: true };

/** The next step; events that do not apply to a step are ignored. */
export function next(step: Step, event: Event): Step {
  if (event.type === 'cancelled') {
    return step.at === 'passkey' || (step.at === 'sign' && step.sending) ? step : FIRST;
  }
  switch (step.at) {
    case 'idle':
      return event.type === 'started' ? { at: 'explain' } : step;
    case 'explain':
      return afterExplain(step, event);
    case 'failed':
      return step;
    case 'copy':
      return event.type === 'copied' ? { ...step, at: 'seal' } : step;
    case 'hasCopy':
      if (event.type === 'copied') return { ...step, at: 'seal' };
      return event.type === 'copyWanted' ? { ...step, at: 'copy' } : step;
    case 'seal':
      if (step.inForce) return settled(step, event);
      if (event.type !== 'sealed') return step;
      return { at: 'sign', key: step.key, file: event.file, sending: false, failure: null };
    case 'sign':
      if (!step.sending) return event.type === 'sent' ? { ...step, sending: true, failure: null } : step;
      if (event.type === 'refused') return { ...step, sending: false, failure: event.failure };
      return settled(step, event);
    case 'passkey':
      return event.type === 'finished' ? DONE : step;
  }
}

function afterExplain(step: Step, event: Event): Step {
  if (event.type === 'keyFailed') return { at: 'failed' };
  if (event.type !== 'keyMade') return step;
  const { key, inForce, hasCopy } = event;
  return { at: inForce ? 'seal' : hasCopy ? 'hasCopy' : 'copy', key, inForce };
}

function settled(step: Extract<Step, { key: OpenedKey }>, event: Event): Step {
  if (event.type === 'passkeyOffered') {
    return { at: 'passkey', key: step.key, identity: event.identity, existing: event.existing };
  }
  return event.type === 'finished' ? DONE : step;
}

import type { Entity } from '../../../protocol/entities/entities.ts';
import { type PlugIn, stateOf } from '../../write/plug-in.ts';
import { answerCertificationRequests, deleteCertificationRequests } from './certification-requests.ts';

/** The institutions that the batch certifies. */
type State = string[];

/** Closes requests for certifications: a decision answers them, and the end of the institution deletes them. Protocol §11. */
export function createInstitutePlugIn(): PlugIn<never, State> {
  const plugIn: PlugIn<never, State> = {
    load: async () => [],
    apply(batch, { operation }, { changes }) {
      if (operation.function !== 'updateCertification' && !changes.some(changesLevel)) return;
      stateOf(plugIn, batch).push(...changes.filter(isCertified).map(({ id }) => id));
    },
    write(batch) {
      const decided = stateOf(plugIn, batch);
      return decided.length > 0 ? [answerCertificationRequests(decided, batch.at)] : [];
    },
    erase: (ownerIds) => [deleteCertificationRequests(ownerIds)],
  };
  return plugIn;
}

/** Removing a certification is no answer to a request. */
const isCertified = (change: Entity): boolean => change.kind === 'IEO' && change.certification.level !== 'UNCERTIFIED';

const changesLevel = (change: Entity): boolean =>
  change.kind === 'PROPOSAL' && change.decision.action === 'changeCertLevel';

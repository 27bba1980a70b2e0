import { expectTypeOf, test } from 'vitest';
import type { z } from 'zod';
import type { eventPage } from '../protocol/event-shapes.ts';
import type { jwks } from '../server/features/events/webhooks/signing.ts';
import type { webhookAfterwards } from '../server/features/events/webhooks/webhook-schema.ts';
import type { listGuarded } from '../server/features/guardians/list-guarded.ts';
import type { listGuardians } from '../server/features/guardians/list-guardians.ts';
import type { requestRecovery } from '../server/features/guardians/request-recovery.ts';
import type { listProposals, readProposal } from '../server/features/institute/list-proposals.ts';
import type { listIeos } from '../server/features/read/list-ieos.ts';
import type { listReceived } from '../server/features/read/list-received.ts';
import type { TokenVerdict, tokenHistory } from '../server/features/read/read-token.ts';
import type { listAccess } from '../server/features/records/list-access.ts';
import type { RecordPage } from '../server/features/records/read-records.ts';
import type { Readiness } from '../server/http/rest/readiness.ts';
import type { LedgerState as ServerState } from '../server/ledger/read.ts';
import type { LedgerState } from './ledger.ts';
import type * as responses from './responses.ts';

// biome-ignore lint/suspicious/noExplicitAny: the parameters do not matter
type Answer<Read extends (...given: any[]) => unknown> = Awaited<ReturnType<Read>>;

test('the types of the responses are those of the functions that make them', () => {
  expectTypeOf<Answer<typeof listIeos>>().toExtend<responses.IeoPage>();
  expectTypeOf<TokenVerdict>().toExtend<responses.TokenVerdict>();
  expectTypeOf<Answer<typeof tokenHistory>>().toExtend<responses.TokenPage>();
  expectTypeOf<Answer<typeof listReceived>>().toExtend<responses.ReceivedPage>();
  expectTypeOf<Answer<typeof listProposals>>().toExtend<responses.ProposalPage>();
  expectTypeOf<Answer<typeof readProposal>>().toExtend<responses.ListedProposal>();
  expectTypeOf<Answer<typeof requestRecovery>>().toExtend<responses.RecoveryRequest>();
  expectTypeOf<RecordPage & { request_id: string }>().toExtend<responses.RecordPage>();
  expectTypeOf<Answer<typeof listAccess>>().toExtend<responses.AccessPage>();
  expectTypeOf<Answer<typeof listGuardians>>().toExtend<responses.GuardianList>();
  expectTypeOf<Answer<typeof listGuarded>>().toExtend<responses.GuardedList>();
  expectTypeOf<z.output<typeof eventPage>['events'][number]['type']>().toEqualTypeOf<
    responses.EventPage['events'][number]['type']
  >();
  expectTypeOf<z.output<typeof webhookAfterwards>>().toExtend<responses.WebhookAfterwards>();
  expectTypeOf<z.output<typeof jwks>['keys'][number]>().toExtend<responses.Jwk>();
  expectTypeOf<Readiness['status']>().toEqualTypeOf<responses.Readiness['status']>();
  expectTypeOf<Omit<ServerState, 'head'>>().toExtend<Omit<LedgerState, 'head'>>();
  expectTypeOf<ServerState['head']>().toExtend<LedgerState['head']>();
});

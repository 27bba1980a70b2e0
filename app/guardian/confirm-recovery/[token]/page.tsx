import type { Metadata } from 'next';
import type { ConfirmationState } from '../../../../server/features/guardians/link-state.ts';
import { readConfirmation } from '../../../../server/features/guardians/read-confirmation.ts';
import { getContext } from '../../../../server/http/context.ts';
import { WithMessages } from '../../../_i18n/translated.tsx';
import { translator } from '../../../_i18n/translator.ts';
import { pageMetadata } from '../../../_ui/page-metadata.ts';
import { Recover } from '../../../_ui/pictures/recover.tsx';
import { ActiveGuardians } from '../../active-guardians.tsx';
import { LostLinkNotice } from '../../link-notice.tsx';
import { readGuardians } from '../../read-guardians.ts';
import { readLink } from '../../read-link.ts';
import { ConfirmRecovery } from '../confirm-recovery.tsx';
import { Confirmed, EndedRequest } from '../request-closed.tsx';

type ConfirmPageProps = { params: Promise<{ token: string }> };

export const generateMetadata = async (): Promise<Metadata> => pageMetadata((await translator('confirm'))('title'));

/** The page of a guardian's link to confirm a recovery. Reading it changes nothing: link scanners follow links too. */
export default async function ConfirmPage({ params }: ConfirmPageProps) {
  const { token } = await params;
  const request = await readLink(readConfirmation(getContext(), token));
  const guardians = 'beo_id' in request ? await readGuardians(getContext(), request.beo_id) : [];
  return <ActiveGuardians guardians={guardians}>{screenOf(token, request)}</ActiveGuardians>;
}

function screenOf(token: string, request: ConfirmationState | { readonly state: 'busy' }) {
  switch (request.state) {
    case 'open':
      return (
        <WithMessages namespaces={['confirm', 'guardian', 'keys']}>
          <ConfirmRecovery token={token} request={request} picture={<Recover className="w-48" />} />
        </WithMessages>
      );
    case 'confirmed':
      return (
        <WithMessages namespaces={['guardian']}>
          <Confirmed request={request} />
        </WithMessages>
      );
    case 'closed':
      return <EndedRequest how={request.executed ? 'executed' : 'closed'} domain={request.beo_domain} />;
    case 'cancelled':
    case 'expired':
    case 'superseded':
      return <EndedRequest how={request.state} domain={request.beo_domain} />;
    case 'unknown':
    case 'destroyed':
    case 'restored':
    case 'busy':
      return <LostLinkNotice why={request.state} />;
  }
}

import type { Metadata } from 'next';
import { getContext } from '../../../../server/context.ts';
import type { ConfirmationState } from '../../../../server/guardians/link-state.ts';
import { readConfirmation } from '../../../../server/guardians/read-confirmation.ts';
import { setPageStatus } from '../../../../server/http/rest/page-status.ts';
import { WithMessages } from '../../../_i18n/translated.tsx';
import { translator } from '../../../_i18n/translator.ts';
import { pageMetadata } from '../../../_ui/page-metadata.ts';
import { DeadEnd } from '../../dead-end.tsx';
import { lookUp } from '../../look-up.ts';
import { Confirmed, Ended } from '../closed.tsx';
import { ConfirmRecovery } from '../confirm-recovery.tsx';

type ConfirmPageProps = { params: Promise<{ token: string }> };

const STATUS: Record<ConfirmationState['state'] | 'busy', number> = {
  open: 200,
  unknown: 404,
  destroyed: 410,
  restored: 410,
  busy: 503,
  confirmed: 410,
  closed: 410,
  expired: 410,
  superseded: 410,
};

export const generateMetadata = async (): Promise<Metadata> => pageMetadata((await translator('confirm'))('title'));

/** Where the link of a recovery request leads a guardian. Reading it changes nothing: link scanners follow links too. */
export default async function ConfirmPage({ params }: ConfirmPageProps) {
  const { token } = await params;
  const request = await lookUp(readConfirmation(getContext(), token));
  setPageStatus(STATUS[request.state]);

  switch (request.state) {
    case 'open':
      return (
        <WithMessages namespaces={['confirm', 'guardian', 'keys']}>
          <ConfirmRecovery token={token} request={request} />
        </WithMessages>
      );
    case 'confirmed':
      return (
        <Confirmed
          domain={request.beo_domain}
          confirmations={request.confirmations}
          needed={request.confirmations_needed}
          until={request.expires_at}
        />
      );
    case 'closed':
      return <Ended how={request.executed ? 'executed' : 'closed'} domain={request.beo_domain} />;
    case 'expired':
    case 'superseded':
      return <Ended how={request.state} domain={request.beo_domain} />;
    case 'unknown':
    case 'destroyed':
    case 'restored':
    case 'busy':
      return <DeadEnd why={request.state} />;
  }
}

import type { Metadata } from 'next';
import { getContext } from '../../../../server/context.ts';
import type { InvitationState } from '../../../../server/guardians/link-state.ts';
import { readInvitation } from '../../../../server/guardians/read-invitation.ts';
import { setPageStatus } from '../../../../server/http/rest/page-status.ts';
import { WithMessages } from '../../../_i18n/translated.tsx';
import { translator } from '../../../_i18n/translator.ts';
import { pageMetadata } from '../../../_ui/page-metadata.ts';
import { DeadEnd } from '../../dead-end.tsx';
import { lookUp } from '../../look-up.ts';
import { AcceptInvitation } from '../accept-invitation.tsx';
import { ExpiredInvitation, LockedIdentity, SupersededInvitation, UsedInvitation } from '../closed.tsx';
import { UnlessOwn } from '../unless-own.tsx';
import { WordsAgain } from '../words-again.tsx';

type AcceptPageProps = { params: Promise<{ token: string }> };

const STATUS: Record<InvitationState['state'] | 'busy', number> = {
  open: 200,
  unknown: 404,
  destroyed: 410,
  restored: 410,
  busy: 503,
  used: 410,
  expired: 410,
  superseded: 410,
  locked: 423,
};

export const generateMetadata = async (): Promise<Metadata> => pageMetadata((await translator('accept'))('title'));

/** Where a guardian's invitation leads. Reading it changes nothing: link scanners follow links too. */
export default async function AcceptPage({ params }: AcceptPageProps) {
  const { token } = await params;
  const invitation = await lookUp(readInvitation(getContext(), token));
  setPageStatus(STATUS[invitation.state]);

  switch (invitation.state) {
    case 'open':
      return (
        <WithMessages namespaces={['accept', 'guardian', 'keys']}>
          <AcceptInvitation token={token} invitation={invitation} />
        </WithMessages>
      );
    case 'used':
      return (
        <WithMessages namespaces={['accept', 'guardian', 'keys']}>
          <UnlessOwn beoId={invitation.beo_id} beoDomain={invitation.beo_domain} publicKey={invitation.public_key}>
            <UsedInvitation domain={invitation.beo_domain}>
              {invitation.public_key !== null && (
                <WordsAgain
                  beoId={invitation.beo_id}
                  beoDomain={invitation.beo_domain}
                  publicKey={invitation.public_key}
                />
              )}
            </UsedInvitation>
          </UnlessOwn>
        </WithMessages>
      );
    case 'locked':
      return (
        <WithMessages namespaces={['accept']}>
          <LockedIdentity domain={invitation.beo_domain} until={invitation.expires_at} />
        </WithMessages>
      );
    case 'expired':
      return <ExpiredInvitation domain={invitation.beo_domain} />;
    case 'superseded':
      return <SupersededInvitation />;
    case 'unknown':
    case 'destroyed':
    case 'restored':
    case 'busy':
      return <DeadEnd why={invitation.state} />;
  }
}

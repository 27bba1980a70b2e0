import type { Metadata } from 'next';
import { findInvitation } from '../../../../server/features/guardians/find-link.ts';
import type { InvitationState } from '../../../../server/features/guardians/link-state.ts';
import { readInvitation } from '../../../../server/features/guardians/read-invitation.ts';
import { getContext } from '../../../../server/http/context.ts';
import { WithMessages } from '../../../_i18n/translated.tsx';
import { translator } from '../../../_i18n/translator.ts';
import { pageMetadata } from '../../../_ui/page-metadata.ts';
import { Guarding } from '../../../_ui/pictures/guarding.tsx';
import { ActiveGuardians } from '../../active-guardians.tsx';
import { LinkFor } from '../../link-for.tsx';
import { LostLinkNotice } from '../../link-notice.tsx';
import { readGuardians } from '../../read-guardians.ts';
import { readLink } from '../../read-link.ts';
import { AcceptInvitation } from '../accept-invitation.tsx';
import { AcceptedHere } from '../accepted-here.tsx';
import { ForgetDraft } from '../forget-draft.tsx';
import { EndedInvitation, LockedIdentity, UsedInvitation } from '../invitation-closed.tsx';
import { ShowWords } from '../show-words.tsx';

type AcceptPageProps = { params: Promise<{ token: string }> };

export const generateMetadata = async (): Promise<Metadata> => pageMetadata((await translator('accept'))('title'));

/** The page of a guardian's invitation. Reading it changes nothing: link scanners follow links too. */
export default async function AcceptPage({ params }: AcceptPageProps) {
  const { token } = await params;
  const context = getContext();
  const invitation = await readLink(readInvitation(context, token));
  const isOver = ['used', 'expired', 'superseded', 'destroyed'].includes(invitation.state);
  const over = isOver ? await findInvitation(context.pool, token).catch(() => null) : null;
  const guardians = 'beo_id' in invitation ? await readGuardians(context, invitation.beo_id) : [];
  return (
    <ActiveGuardians guardians={guardians}>
      {over && <ForgetDraft invitationId={over.invitationId} />}
      {screenOf(token, invitation)}
    </ActiveGuardians>
  );
}

function screenOf(token: string, invitation: InvitationState | { readonly state: 'busy' }) {
  switch (invitation.state) {
    case 'open':
      return (
        <WithMessages namespaces={['accept', 'guardian', 'keys']}>
          <AcceptInvitation token={token} invitation={invitation} picture={<Guarding className="w-48" />} />
        </WithMessages>
      );
    case 'used':
      return (
        <WithMessages namespaces={['accept', 'guardian', 'keys']}>
          <AcceptedHere
            beoId={invitation.beo_id}
            beoDomain={invitation.beo_domain}
            role={invitation.role}
            publicKey={invitation.public_key}
          >
            <UsedInvitation
              domain={invitation.beo_domain}
              whose={
                invitation.role !== null && (
                  <LinkFor domain={invitation.beo_domain} role={invitation.role} expectedKey={invitation.public_key} />
                )
              }
            >
              {invitation.public_key !== null && (
                <ShowWords
                  beoId={invitation.beo_id}
                  beoDomain={invitation.beo_domain}
                  publicKey={invitation.public_key}
                />
              )}
            </UsedInvitation>
          </AcceptedHere>
        </WithMessages>
      );
    case 'locked':
      return (
        <WithMessages namespaces={['accept']}>
          <LockedIdentity domain={invitation.beo_domain} until={invitation.expires_at} />
        </WithMessages>
      );
    case 'expired':
      return <EndedInvitation how="expired" domain={invitation.beo_domain} />;
    case 'superseded':
      return <EndedInvitation how="superseded" />;
    case 'unknown':
    case 'destroyed':
    case 'restored':
    case 'busy':
      return <LostLinkNotice why={invitation.state} />;
  }
}

import type { ConfirmationState } from '../../../server/features/guardians/link-state.ts';
import { translator } from '../../_i18n/translator.ts';
import { When } from '../../_ui/when.tsx';
import { LinkFor } from '../link-for.tsx';
import { LinkNotice } from '../link-notice.tsx';

type ConfirmedProps = { request: Extract<ConfirmationState, { state: 'confirmed' }> };

/** The guardian of the link has confirmed; another has not yet, and may be the one who opens it. */
export async function Confirmed({ request }: ConfirmedProps) {
  const { beo_domain: domain, role, guardian_key, confirmations, confirmations_needed: needed } = request;
  const t = await translator('confirm');
  const reason = (
    <>
      <p>{t('done.given', { confirmations, needed })}</p>
      <p>{t.rich('done.until', { when: (end) => <When at={request.expires_at}>{end}</When> })}</p>
      <LinkFor domain={domain} role={role} expectedKey={guardian_key} />
    </>
  );
  const todo = (
    <>
      <p>{t('confirmed.todo')}</p>
      <p>{t('confirmed.other', { domain })}</p>
    </>
  );
  return <LinkNotice title={t('confirmed.title', { role })} reason={reason} todo={todo} />;
}

type EndedRequestProps = { how: 'executed' | 'closed' | 'cancelled' | 'expired' | 'superseded'; domain: string };

/** The request was executed, another was (`closed`), the holder cancelled it, its time ran out, or this guardian was removed (`superseded`). */
export async function EndedRequest({ how, domain }: EndedRequestProps) {
  const t = await translator('confirm');
  return (
    <LinkNotice
      title={t(`${how}.title`, { domain })}
      reason={<p>{t(`${how}.what`, { domain })}</p>}
      todo={<p>{t(`${how}.todo`, { domain })}</p>}
    />
  );
}

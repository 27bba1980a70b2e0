import { translator } from '../../_i18n/translator.ts';
import { When } from '../../_ui/when.tsx';
import { LinkNotice } from '../link-notice.tsx';

type ConfirmedProps = { domain: string; confirmations: number; needed: number; until: string };

/** This guardian has confirmed; another has not yet. */
export async function Confirmed({ domain, confirmations, needed, until }: ConfirmedProps) {
  const t = await translator('confirm');
  const reason = (
    <>
      <p>{t('done.given', { confirmations, needed })}</p>
      <p>{t.rich('done.until', { when: (end) => <When at={until}>{end}</When> })}</p>
    </>
  );
  return <LinkNotice title={t('confirmed.title')} reason={reason} todo={<p>{t('confirmed.todo', { domain })}</p>} />;
}

type EndedRequestProps = { how: 'executed' | 'closed' | 'expired' | 'superseded'; domain: string };

/** The request was executed, another was (`closed`), its time ran out, or this guardian was removed (`superseded`). */
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

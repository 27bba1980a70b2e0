import { WithMessages } from '../../../../_i18n/translated.tsx';
import { AskForConsent } from './ask-for-consent.tsx';

/** An institution asks for a consent: a form, then a link, a QR code and a sheet. */
export default function AskForConsentPage() {
  return (
    <WithMessages namespaces={['institution', 'scope']}>
      <AskForConsent />
    </WithMessages>
  );
}

import { NewConsent } from '../../../../consents/new-consent.tsx';

export default function NewConsentPage() {
  return <NewConsent />;
}

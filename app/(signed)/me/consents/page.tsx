import { AllConsents } from './all-consents.tsx';

export default function ConsentsPage() {
  return <AllConsents />;
}

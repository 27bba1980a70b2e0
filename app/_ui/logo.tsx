/** The logo. */
export function Logo({ className }: { className?: string }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 32 32" width="32" height="32" className={className} fill="currentColor">
      <rect x="3" y="5" width="5" height="2.5" rx="1.25" />
      <rect x="11" y="5" width="10" height="2.5" rx="1.25" />
      <rect x="24" y="5" width="5" height="2.5" rx="1.25" />
      <rect x="3" y="11" width="26" height="4.5" rx="1.5" opacity="0.72" />
      <rect x="3" y="19" width="26" height="9" rx="1.5" />
    </svg>
  );
}

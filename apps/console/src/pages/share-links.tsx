import { useState } from 'react'
import { Button, ChangeButton } from '../ui/button.tsx'
import { Copied, Time } from '../ui/parts.tsx'
import styles from './pages.module.css'

/** A public link to a record, of any family of shares. */
export interface ShareLink {
  readonly id: string
  readonly resourceVersion: string
  readonly payload: { readonly url: string; readonly expiresAt: string }
}

/** Public links with their expiry. Each can be copied, and revoked after a confirmation. */
export function ShareLinkList<Share extends ShareLink>({
  shares,
  disabledReason,
  onRevoke,
}: {
  shares: readonly Share[]
  disabledReason: string | null
  onRevoke: (share: Share) => void
}) {
  return (
    <ul className={styles.lines} aria-label="Public links">
      {shares.map((share) => (
        <ShareLine
          key={share.id}
          share={share}
          disabledReason={disabledReason}
          onRevoke={() => onRevoke(share)}
        />
      ))}
    </ul>
  )
}

function ShareLine({
  share: { payload },
  disabledReason,
  onRevoke,
}: {
  share: ShareLink
  disabledReason: string | null
  onRevoke: () => void
}) {
  const [isConfirming, setConfirming] = useState(false)
  return (
    <li>
      <a href={payload.url} target="_blank" rel="noreferrer">
        {new URL(payload.url).pathname.split('/').at(-1)}
      </a>
      <small>
        until <Time at={payload.expiresAt} />
      </small>
      <span className={styles.actions}>
        <Copied text={payload.url} shown="Copy link" label="Public link:" look="button" />
        <ChangeButton
          isSmall
          look={isConfirming ? 'danger' : 'plain'}
          disabledReason={disabledReason}
          onClick={() => (isConfirming ? onRevoke() : setConfirming(true))}
        >
          {isConfirming ? 'Confirm: revoke' : 'Revoke'}
        </ChangeButton>
        {isConfirming ? (
          <Button isSmall look="quiet" onClick={() => setConfirming(false)}>
            Cancel
          </Button>
        ) : null}
      </span>
    </li>
  )
}

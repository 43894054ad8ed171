import type { contract, Scope } from '@liquidity-os/contract'
import { useState } from 'react'
import { useMembership } from '../../api/queries.ts'
import { index } from '../../declared/families.ts'
import { timeText } from '../../fields/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { CopyButton, Panel } from '../../ui/parts.tsx'
import ui from '../../ui/ui.module.css'
import styles from '../pages.module.css'
import { firstRead } from './key-scopes.ts'

type Issued = contract.IssuedCredential

/** The secret of a new credential, which the service cannot show again, and a first request. */
export function IssuedKey({
  issued: { credential, secret },
  onClose,
}: {
  issued: Issued
  onClose: () => void
}) {
  const { organizationId } = useMembership()
  const { label, kind, scopes } = credential.payload
  const base = `${window.location.origin}${index.basePath}`
  const path = firstRead(scopes as Scope[])
  const headers = `-H "authorization: Bearer ${secret}" -H "x-service-organization-id: ${organizationId}"`
  const command =
    kind === 'OAUTH_CLIENT'
      ? `curl -sS -u "${credential.id}:${secret}" -d grant_type=client_credentials "${base}/oauth/token"`
      : path === null
        ? null
        : `curl -sS ${headers} "${base}${path}"`
  return (
    <Panel
      title={`${label}: copy the secret now`}
      actions={
        <Button isSmall look="quiet" icon="x" onClick={onClose}>
          Close
        </Button>
      }
    >
      <div className={styles.issued}>
        <p>The service stores only a hash of the secret and cannot show it again.</p>
        {kind === 'OAUTH_CLIENT' ? <Line name="Client ID" text={credential.id} /> : null}
        <Line name="Secret" text={secret} />
        {command === null ? (
          <p>These scopes only send requests with a body. The documentation has examples.</p>
        ) : (
          <Line name={kind === 'OAUTH_CLIENT' ? 'First token' : 'First request'} text={command} />
        )}
        {kind === 'API_KEY' && path !== null ? (
          <TestCall url={`${base}${path}`} secret={secret} organizationId={organizationId} />
        ) : null}
      </div>
    </Panel>
  )
}

function Line({ name, text }: { name: string; text: string }) {
  return (
    <div className={styles.issuedLine}>
      <span className={styles.factName}>{name}</span>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
      <code className={ui.code} tabIndex={0}>
        {text}
      </code>
      <CopyButton text={text} name={name} />
    </div>
  )
}

interface Answered {
  readonly at: string
  /** Null if the service did not respond. */
  readonly status: number | null
}

/** Sends the request of the command from the browser, with the key only. */
function TestCall({
  url,
  secret,
  organizationId,
}: {
  url: string
  secret: string
  organizationId: string
}) {
  const [answered, setAnswered] = useState<Answered | null>(null)
  const [isSending, setSending] = useState(false)
  const call = async () => {
    setSending(true)
    const response = await fetch(url, {
      credentials: 'omit',
      headers: {
        authorization: `Bearer ${secret}`,
        'x-service-organization-id': organizationId,
      },
    }).catch(() => null)
    setAnswered({ at: new Date().toISOString(), status: response?.status ?? null })
    setSending(false)
  }
  return (
    <div className={styles.actions}>
      <Button disabledReason={isSending ? 'Sending…' : null} onClick={() => void call()}>
        Test the key
      </Button>
      <div role="status">
        {answered === null ? null : (
          <Notice
            tone={answered.status === 200 ? 'good' : 'bad'}
            title={
              answered.status === null
                ? `No response at ${timeText(answered.at)}`
                : `Answered at ${timeText(answered.at)}, status ${answered.status}`
            }
          />
        )}
      </div>
    </div>
  )
}

import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { showPasskey } from '../api/passkeys.ts'
import { sessionQuery, useMembership } from '../api/queries.ts'
import { askExtension } from '../api/send.ts'
import { Button } from '../ui/button.tsx'
import { Fault, Notice } from '../ui/notice.tsx'
import { OtherSignIn } from './other-sign-in.tsx'

/**
 * Prompts for a new sign-in: with a passkey if registered, else by email link or identity provider.
 */
export function ReauthenticationPrompt() {
  const { session } = useMembership()
  return (
    <Notice tone="warn" title="This action requires a recent sign-in">
      {session.hasPasskey ? <ByPasskey /> : <ByMail />}
    </Notice>
  )
}

function ByPasskey() {
  const queries = useQueryClient()
  const [isShown, setShown] = useState(false)
  const [fault, setFault] = useState<unknown>(null)
  const show = async () => {
    setFault(null)
    try {
      await showPasskey()
      await queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
      setShown(true)
    } catch (error) {
      setFault(error)
    }
  }
  if (isShown) return <p role="status">Passkey accepted. Submit again; your input is preserved.</p>
  return (
    <>
      <p>Confirm with your passkey. Your input is preserved.</p>
      <p>
        <Button onClick={() => void show()}>Use passkey</Button>
      </p>
      {fault ? <PasskeyFault error={fault} /> : null}
    </>
  )
}

/** Browser errors of an authenticator appear verbatim: canceled, or no authenticator present. */
export function PasskeyFault({ error }: { error: unknown }) {
  if (error instanceof DOMException) {
    return (
      <Notice tone="hold" title="No passkey received">
        <p>{error.message}</p>
      </Notice>
    )
  }
  return <Fault error={error} />
}

function ByMail() {
  const queries = useQueryClient()
  const [isLinkSent, setLinkSent] = useState(false)
  const [fault, setFault] = useState<unknown>(null)
  const send = async () => {
    setFault(null)
    try {
      await askExtension('/auth/reauthentications', {})
      setLinkSent(true)
    } catch (error) {
      setFault(error)
      // A passkey may have been added meanwhile, elsewhere.
      await queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
    }
  }
  return (
    <>
      <p>
        {isLinkSent
          ? 'Link sent. Open it in this browser, then submit again. Your input is preserved.'
          : 'Confirm with an email link. Your input is preserved.'}
      </p>
      <p>
        <Button onClick={() => void send()}>Send link</Button>
      </p>
      {fault ? <Fault error={fault} /> : null}
      <OtherSignIn isAgain />
    </>
  )
}

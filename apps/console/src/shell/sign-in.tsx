import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { askExtension } from '../api/send.ts'
import { Button } from '../ui/button.tsx'
import { Fault, Notice } from '../ui/notice.tsx'
import { OtherSignIn } from './other-sign-in.tsx'
import styles from './shell.module.css'

/** Requests a sign-in link. The link opens its own page in the same browser. */
export function SignIn({ note }: { note?: string }) {
  const queries = useQueryClient()
  const email = useId()
  const [sentTo, setSentTo] = useState<string | null>(null)
  const [fault, setFault] = useState<unknown>(null)
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const address = String(new FormData(event.currentTarget).get('email'))
    setFault(null)
    try {
      await askExtension('/auth/email-links', { email: address })
      setSentTo(address)
    } catch (error) {
      setFault(error)
    }
  }
  return (
    <section className={styles.signIn} aria-labelledby={`${email}-title`}>
      <h1 id={`${email}-title`}>Sign in to Liquidity OS</h1>
      <p>{note ?? 'Plan, simulate, operate, analyze and prove the liquidity of a token.'}</p>
      {sentTo === null ? (
        <form onSubmit={(event) => void send(event)}>
          <label htmlFor={email}>Email address</label>
          <input id={email} name="email" type="email" autoComplete="email" required />
          <Button look="primary" type="submit">
            Send sign-in link
          </Button>
        </form>
      ) : (
        <Notice tone="good" title="If the address has an account, a link was sent">
          <p>
            The link is valid for 15 minutes in this browser. Without a mail server, the operator
            prints a link: <code>npx liquidity session link {sentTo}</code>
          </p>
          <p>
            <Button onClick={() => void queries.invalidateQueries()}>Continue</Button>
          </p>
        </Notice>
      )}
      {fault ? <Fault error={fault} /> : null}
      <OtherSignIn />
      <p className={styles.aside}>
        This service executes no transactions. Only the owners of the issuer’s Safe can.{' '}
        <a href="/docs/">Guide</a> and <a href="/docs/api/">API reference</a>
      </p>
    </section>
  )
}

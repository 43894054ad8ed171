import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { addPasskey, type Passkey, passkeysQuery, removePasskey } from '../api/passkeys.ts'
import { methodsQuery, sessionQuery, useMembership } from '../api/queries.ts'
import { ApiFailure } from '../api/send.ts'
import formStyles from '../forms/form.module.css'
import { PasskeyFault, ReauthenticationPrompt } from '../shell/reauthentication.tsx'
import { Button } from '../ui/button.tsx'
import { Fault, Notice } from '../ui/notice.tsx'
import { Panel, Scrolled, Skeleton, Time } from '../ui/parts.tsx'
import styles from './pages.module.css'

export function YourSignIn() {
  const { session } = useMembership()
  const methods = useQuery(methodsQuery)
  return (
    <>
      <header className={styles.head}>
        <div>
          <h1>Sign-in methods</h1>
          <p>{session.email}</p>
        </div>
      </header>
      {methods.data && !methods.data.passkeys ? (
        <Notice tone="hold" title="Passkeys are not available at this address">
          <p>
            Passkeys require HTTPS with a host name, or localhost. Ask the operator to set the URL
            of the service.
          </p>
        </Notice>
      ) : (
        <Passkeys />
      )}
    </>
  )
}

function Passkeys() {
  const queries = useQueryClient()
  const known = useQuery(passkeysQuery)
  const [fault, setFault] = useState<unknown>(null)
  /** Returns true on success; on failure the input remains. */
  const change = async (work: () => Promise<void>): Promise<boolean> => {
    setFault(null)
    try {
      await work()
      await Promise.all(
        [passkeysQuery.queryKey, sessionQuery.queryKey].map((queryKey) =>
          queries.invalidateQueries({ queryKey }),
        ),
      )
      return true
    } catch (error) {
      setFault(error)
      return false
    }
  }
  return (
    <Panel title="Passkeys" note="Second factor: fingerprint, face, PIN or security key">
      <div className={styles.stack}>
        {known.error ? (
          <Fault error={known.error} onRetry={() => void known.refetch()} />
        ) : known.isPending ? (
          <Skeleton lines={2} />
        ) : known.data.length === 0 ? (
          <p>
            No passkeys. Anyone with access to your mailbox can sign in and act as you. With a
            passkey, actions that require a recent sign-in require the passkey.
          </p>
        ) : (
          <Known passkeys={known.data} onRemove={(one) => void change(() => removePasskey(one))} />
        )}
        <Add onAdd={(name) => change(() => addPasskey(name))} />
        {fault === null ? null : isOld(fault) ? (
          <ReauthenticationPrompt />
        ) : (
          <PasskeyFault error={fault} />
        )}
      </div>
    </Panel>
  )
}

const isOld = (error: unknown) =>
  error instanceof ApiFailure && error.code === 'LIQUIDITY_STUDIO_REAUTHENTICATION_REQUIRED'

function Known({
  passkeys,
  onRemove,
}: {
  passkeys: readonly Passkey[]
  onRemove: (passkey: Passkey) => void
}) {
  return (
    <Scrolled label="Your passkeys">
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Storage</th>
            <th scope="col">Added</th>
            <th scope="col">Last used</th>
            <th scope="col">
              <span className="visually-hidden">Remove</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {passkeys.map((passkey) => (
            <tr key={passkey.id}>
              <th scope="row">{passkey.name}</th>
              <td data-label="Storage">{passkey.isSynced ? 'Synced' : 'One device'}</td>
              <td data-label="Added">
                <Time at={passkey.createdAt} />
              </td>
              <td data-label="Last used">
                {passkey.lastUsedAt ? <Time at={passkey.lastUsedAt} /> : 'Never'}
              </td>
              <td>
                <Button isSmall onClick={() => onRemove(passkey)}>
                  Remove <span className="visually-hidden">{passkey.name}</span>
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolled>
  )
}

function Add({ onAdd }: { onAdd: (name: string) => Promise<boolean> }) {
  const name = useId()
  const add = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    if (await onAdd(String(new FormData(form).get('name')))) form.reset()
  }
  return (
    <form onSubmit={(event) => void add(event)} className={formStyles.field}>
      <label htmlFor={name}>Passkey name</label>
      <div className={formStyles.entry}>
        <input
          id={name}
          name="name"
          required
          maxLength={80}
          placeholder="Laptop"
          autoComplete="off"
        />
        <Button look="primary" type="submit">
          Add passkey
        </Button>
      </div>
    </form>
  )
}

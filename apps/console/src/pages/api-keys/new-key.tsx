import type { contract, Scope } from '@liquidity-os/contract'
import { type FormEvent, useId, useState } from 'react'
import { useChange } from '../../api/changes.ts'
import { useMembership } from '../../api/queries.ts'
import { ApiFailure } from '../../api/send.ts'
import { permissionReason } from '../../declared/disabled-reasons.ts'
import formStyles from '../../forms/form.module.css'
import { ReauthenticationPrompt } from '../../shell/reauthentication.tsx'
import { ChangeButton } from '../../ui/button.tsx'
import { Fault } from '../../ui/notice.tsx'
import { Panel } from '../../ui/parts.tsx'
import styles from '../pages.module.css'
import { type Preset, presets, scopeTexts } from './key-scopes.ts'

type Kind = contract.DeveloperCredential['kind']

const kinds: readonly { kind: Kind; label: string }[] = [
  { kind: 'API_KEY', label: 'API key: one secret in a header' },
  { kind: 'OAUTH_CLIENT', label: 'OAuth client: exchanges its secret for one-hour tokens' },
]
const [firstPreset] = presets as readonly [Preset, ...Preset[]]

/** Creates an API key or an OAuth client from a preset or from single scopes. */
export function NewKey({ onIssued }: { onIssued: (issued: contract.IssuedCredential) => void }) {
  const { role } = useMembership()
  const id = useId()
  const { change, post, fault, isSending } = useChange()
  const [preset, setPreset] = useState(firstPreset.key)
  const [scopes, setScopes] = useState<ReadonlySet<Scope>>(new Set(firstPreset.scopes))
  const [label, setLabel] = useState(firstPreset.label)
  const [kind, setKind] = useState<Kind>('API_KEY')
  const [lastDay, setLastDay] = useState('')
  const choose = (key: string) => {
    const chosen = presets.find((one) => one.key === key)
    setPreset(key)
    if (!chosen) return
    setScopes(new Set(chosen.scopes))
    // A name that the user typed stays.
    if (presets.some((one) => one.label === label)) setLabel(chosen.label)
  }
  const toggle = (scope: Scope) => {
    const next = new Set(scopes)
    if (!next.delete(scope)) next.add(scope)
    setScopes(next)
    setPreset('')
  }
  const disabledReason =
    permissionReason(role, 'credentials.manage') ??
    (isSending
      ? 'Creating…'
      : label.trim() === ''
        ? 'Enter a name.'
        : scopes.size === 0
          ? 'Select a permission.'
          : null)
  const create = (event: FormEvent) => {
    event.preventDefault()
    if (disabledReason !== null) return
    void change(async () => {
      const issued = await post<contract.IssuedCredential>({
        path: '/developer-credentials',
        body: {
          label: label.trim(),
          kind,
          scopes: [...scopes].toSorted(),
          reason: 'Created in the console',
          ...(lastDay === '' ? {} : { expiresAt: `${lastDay}T23:59:59Z` }),
        },
      })
      onIssued(issued)
    })
  }
  return (
    <Panel title="New API key">
      <form className={formStyles.form} onSubmit={create}>
        <div className={formStyles.members}>
          <div className={formStyles.field}>
            <label htmlFor={`${id}-preset`}>Purpose</label>
            <select
              id={`${id}-preset`}
              value={preset}
              onChange={({ target }) => choose(target.value)}
            >
              {presets.map((one) => (
                <option key={one.key} value={one.key}>
                  {one.label}
                </option>
              ))}
              <option value="">Own selection</option>
            </select>
          </div>
          <div className={formStyles.field}>
            <label htmlFor={`${id}-label`}>Name</label>
            <input
              id={`${id}-label`}
              value={label}
              maxLength={120}
              autoComplete="off"
              onChange={({ target }) => setLabel(target.value)}
            />
          </div>
          <div className={formStyles.field}>
            <label htmlFor={`${id}-kind`}>Kind</label>
            <select
              id={`${id}-kind`}
              value={kind}
              onChange={({ target }) => setKind(target.value as Kind)}
            >
              {kinds.map((one) => (
                <option key={one.kind} value={one.kind}>
                  {one.label}
                </option>
              ))}
            </select>
          </div>
          <div className={formStyles.field}>
            <label htmlFor={`${id}-day`}>
              Last day <small>optional, UTC</small>
            </label>
            <input
              id={`${id}-day`}
              type="date"
              value={lastDay}
              onChange={({ target }) => setLastDay(target.value)}
            />
          </div>
        </div>
        <fieldset className={styles.scopes}>
          <legend>Permissions</legend>
          {(Object.keys(scopeTexts) as Scope[]).map((scope) => (
            <label key={scope}>
              <input type="checkbox" checked={scopes.has(scope)} onChange={() => toggle(scope)} />
              {scopeTexts[scope]}
            </label>
          ))}
        </fieldset>
        <div className={styles.actions}>
          <ChangeButton type="submit" look="primary" icon="plus" disabledReason={disabledReason}>
            Create key
          </ChangeButton>
        </div>
        {fault === null ? null : isOldSignIn(fault) ? (
          <ReauthenticationPrompt />
        ) : (
          <Fault error={fault} />
        )}
      </form>
    </Panel>
  )
}

const isOldSignIn = (error: unknown) =>
  error instanceof ApiFailure && error.code === 'LIQUIDITY_STUDIO_REAUTHENTICATION_REQUIRED'

import type { contract, Scope } from '@liquidity-os/contract'
import { useId, useState } from 'react'
import { useChange } from '../../api/changes.ts'
import { useMembership } from '../../api/queries.ts'
import { permissionReason } from '../../declared/disabled-reasons.ts'
import formStyles from '../../forms/form.module.css'
import { Button, ChangeButton } from '../../ui/button.tsx'
import { Fault } from '../../ui/notice.tsx'
import { PageLink, toRecord } from '../../ui/page-link.tsx'
import { Scrolled, Time } from '../../ui/parts.tsx'
import { State } from '../../ui/state.tsx'
import styles from '../pages.module.css'
import { scopeTexts } from './key-scopes.ts'

export interface Credential {
  readonly id: string
  readonly status: string
  readonly resourceVersion: string
  readonly payload: contract.DeveloperCredential
}

const columns = ['Name', 'Permissions', 'Created', 'Expires', 'State', '']

/** API keys and OAuth clients, with their revocation. */
export function KeyTable({ credentials }: { credentials: readonly Credential[] }) {
  return (
    <Scrolled label="API keys">
      <table className={styles.table}>
        <thead>
          <tr>
            {columns.map((name) =>
              name === '' ? (
                <td key={name} />
              ) : (
                <th key={name} scope="col">
                  {name}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {credentials.map((credential) => (
            <KeyRow key={credential.id} credential={credential} />
          ))}
        </tbody>
      </table>
    </Scrolled>
  )
}

function KeyRow({ credential }: { credential: Credential }) {
  const { id, status, payload } = credential
  const { label, kind, scopes, issuedAt, expiresAt } = payload
  const isExpired = expiresAt !== null && Date.parse(expiresAt) <= Date.now()
  return (
    <tr>
      <th scope="row">
        <PageLink to={toRecord('developer-credentials', id)}>{label}</PageLink>
        {kind === 'OAUTH_CLIENT' ? <small> OAuth client</small> : null}
      </th>
      <td data-label="Permissions">
        {scopes.map((scope) => scopeTexts[scope as Scope]).join(', ')}
      </td>
      <td data-label="Created">
        <Time at={issuedAt} />
      </td>
      <td data-label="Expires">{expiresAt === null ? 'never' : <Time at={expiresAt} />}</td>
      <td data-label="State">
        <State of={status === 'ACTIVE' && isExpired ? 'EXPIRED' : status} />
      </td>
      <td>{status === 'ACTIVE' ? <Revocation credential={credential} /> : null}</td>
    </tr>
  )
}

function Revocation({ credential: { id, resourceVersion } }: { credential: Credential }) {
  const { role } = useMembership()
  const reasonId = useId()
  const { change, send, fault, isSending } = useChange()
  const [reason, setReason] = useState<string | null>(null)
  const disabledReason = permissionReason(role, 'credentials.manage')
  if (reason === null) {
    return (
      <Button isSmall disabledReason={disabledReason} onClick={() => setReason('')}>
        Revoke
      </Button>
    )
  }
  const revoke = () =>
    void change(async () => {
      await send({
        method: 'PATCH',
        path: `/developer-credentials/${id}`,
        ifMatch: resourceVersion,
        body: { status: 'REVOKED', reason: reason.trim() },
      })
    })
  return (
    <div className={formStyles.form}>
      <div className={formStyles.field}>
        <label htmlFor={reasonId}>Reason</label>
        <input
          id={reasonId}
          value={reason}
          maxLength={500}
          autoComplete="off"
          onChange={({ target }) => setReason(target.value)}
        />
      </div>
      <div className={styles.actions}>
        <ChangeButton
          isSmall
          look="danger"
          disabledReason={
            disabledReason ??
            (isSending ? 'Saving…' : reason.trim().length < 3 ? 'Enter a reason.' : null)
          }
          onClick={revoke}
        >
          Confirm revocation
        </ChangeButton>
        <Button isSmall look="quiet" onClick={() => setReason(null)}>
          Cancel
        </Button>
      </div>
      {fault === null ? null : <Fault error={fault} />}
    </div>
  )
}

import type { contract } from '@liquidity-os/contract'
import { useQuery } from '@tanstack/react-query'
import { useChange } from '../api/changes.ts'
import { useAssets, useMembership } from '../api/queries.ts'
import { read } from '../api/send.ts'
import { permissionReason } from '../declared/disabled-reasons.ts'
import { Refused } from '../forms/refused.tsx'
import { ChangeButton } from '../ui/button.tsx'
import { Panel, Time } from '../ui/parts.tsx'
import { State } from '../ui/state.tsx'
import styles from './pages.module.css'

type Row = contract.TreasuryAssetRow
type Decision = 'OWN_TOKEN' | 'CRYPTO_OTHER'

/**
 * Asks whether a traded token is the organization's own token. Shown only while this decision or
 * its confirmation is pending: until then, totals exclude the holdings.
 */
export function OwnTokens() {
  const { organizationId } = useMembership()
  const { send, change, fault, isSending } = useChange()
  const assets = useQuery({
    queryKey: [organizationId, 'treasury-assets', 'open'],
    queryFn: () => read<Row[]>(organizationId, '/treasury/assets', { limit: 100 }),
    refetchInterval: 15_000,
  })
  const open = (assets.data ?? []).filter(
    ({ standing, pending }) => standing === 'UNDECLARED' || pending !== null,
  )
  if (open.length === 0) return null
  const decide = ({ assetKey, record }: Row, wanted: Decision) =>
    void change(async () => {
      const body = { class: wanted, reason: reasons[wanted] }
      await (record === null
        ? send({ method: 'POST', path: '/treasury/assets', body: { assetKey, ...body } })
        : send({ method: 'PATCH', ...changeOf(record), body }))
    })
  const confirm = ({ id, resourceVersion }: NonNullable<Row['record']>) =>
    void change(async () => {
      const { path, ifMatch } = changeOf({ id, resourceVersion })
      const body = { reason: 'Confirmed on Home' }
      await send({ method: 'POST', path: `${path}/confirm`, ifMatch, body })
    })
  return (
    <Panel title="Own tokens" note="Totals exclude undecided tokens">
      <ul className={styles.lines}>
        {open.map((row) => (
          <OpenToken
            key={row.assetKey}
            row={row}
            isSending={isSending}
            onDecide={(wanted) => decide(row, wanted)}
            onConfirm={confirm}
          />
        ))}
      </ul>
      {fault === null ? null : <Refused error={fault} onRead={() => void assets.refetch()} />}
    </Panel>
  )
}

const reasons: Readonly<Record<Decision, string>> = {
  OWN_TOKEN: 'Declared on Home: own token',
  CRYPTO_OTHER: 'Declared on Home: external token',
}

const changeOf = ({ id, resourceVersion }: NonNullable<Row['record']>) => ({
  path: `/treasury/assets/${id}`,
  ifMatch: resourceVersion,
})

function OpenToken({
  row,
  isSending,
  onDecide,
  onConfirm,
}: {
  row: Row
  isSending: boolean
  onDecide: (wanted: Decision) => void
  onConfirm: (record: NonNullable<Row['record']>) => void
}) {
  const { role } = useMembership()
  const assetOf = useAssets()
  const name = row.symbol ?? assetOf(row.assetKey)?.symbol ?? row.assetKey
  const busy = isSending ? 'Saving…' : null
  if (row.pending) return <PendingToken row={row} name={name} busy={busy} onConfirm={onConfirm} />
  return (
    <li>
      <State of="OPEN" />
      <span>
        Is {name} your own token?
        <br />
        <small>Totals exclude own tokens. They include external tokens after confirmation.</small>
      </span>
      <span className={styles.actions}>
        <ChangeButton
          isSmall
          disabledReason={permissionReason(role, 'treasury.write') ?? busy}
          onClick={() => onDecide('OWN_TOKEN')}
        >
          Mark {name} as own
        </ChangeButton>
        <ChangeButton
          isSmall
          disabledReason={role === 'OWNER' ? busy : 'Requires the Owner role. Ask an owner.'}
          onClick={() => onDecide('CRYPTO_OTHER')}
        >
          Mark {name} as external
        </ChangeButton>
      </span>
    </li>
  )
}

function PendingToken({
  row: { pending, record },
  name,
  busy,
  onConfirm,
}: {
  row: Row
  name: string
  busy: string | null
  onConfirm: (record: NonNullable<Row['record']>) => void
}) {
  const { role, session } = useMembership()
  if (pending === null || record === null) return null
  const disabledReason =
    role !== 'OWNER'
      ? 'Requires the Owner role. Ask an owner.'
      : pending.requestedBy.id === session.userId
        ? 'Another owner must confirm.'
        : busy
  return (
    <li>
      <State of="PENDING" />
      <span>
        {name} was marked as external
        <br />
        <small>
          {pending.effectiveAt === null ? (
            <>
              Another owner must confirm by <Time at={pending.expiresAt} />.
            </>
          ) : (
            <>
              It takes effect on <Time at={pending.effectiveAt} />.
            </>
          )}
        </small>
      </span>
      {pending.effectiveAt === null ? (
        <span className={styles.actions}>
          <ChangeButton isSmall disabledReason={disabledReason} onClick={() => onConfirm(record)}>
            Confirm
          </ChangeButton>
        </span>
      ) : null}
    </li>
  )
}

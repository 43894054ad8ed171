import type { contract, OperatingSystemJob } from '@liquidity-os/contract'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useChange } from '../../api/changes.ts'
import { useMembership } from '../../api/queries.ts'
import { read } from '../../api/send.ts'
import { permissionReason } from '../../declared/disabled-reasons.ts'
import formStyles from '../../forms/form.module.css'
import { Button, ChangeButton } from '../../ui/button.tsx'
import { Fault } from '../../ui/notice.tsx'
import { Panel, Time } from '../../ui/parts.tsx'
import { saveText } from '../csv.ts'
import styles from '../pages.module.css'
import { failedRegistrations } from './failed-registrations.ts'
import { HashCheck } from './hash-check.tsx'
import { builderLink } from './safe-links.ts'
import { SafeSignatures } from './safe-signatures.tsx'
import { transactionFile } from './transaction-file.ts'

type Proposal = contract.ProposalWorkspace

interface Shown {
  readonly id: string
  readonly version: string
  readonly createdAt: string
  readonly proposal: Proposal
}

/** Hashes that owners compare with their wallet, the file for it, and the executed transaction. */
export function SafeTransaction(shown: Shown) {
  const { proposal, createdAt } = shown
  const { packets, action, title, phase } = proposal
  const save = (index: number) => {
    const { decodedCalls = [] } = packets[index] ?? {}
    const file = transactionFile({
      chainId: action.chainId,
      safeAddress: action.safeAddress,
      title,
      createdAt,
      calls: decodedCalls,
    })
    const name = packets.length === 1 ? 'safe-transaction' : `safe-transaction-${index + 1}`
    saveText(`${name}.json`, JSON.stringify(file, null, 2), 'application/json')
  }
  const builder = phase === 'APPROVED' ? builderLink(action.chainId, action.safeAddress) : null
  return (
    <Panel title="Safe transaction" note="Compare these hashes with your wallet">
      <HashCheck packets={packets} action={action} />
      <div className={styles.spaced}>
        <div className={styles.actions}>
          {packets.map(({ packetIndex }) => (
            <Button key={packetIndex} icon="download" onClick={() => save(packetIndex)}>
              {packets.length === 1
                ? 'Transaction Builder file'
                : `Transaction Builder file ${packetIndex + 1}`}
            </Button>
          ))}
          {builder === null ? null : (
            <a href={builder} target="_blank" rel="noreferrer">
              Open Transaction Builder in Safe{'{Wallet}'}
            </a>
          )}
        </div>
        {phase === 'APPROVED' ? (
          <>
            <SafeSignatures {...shown} />
            <FailedRegistrations id={shown.id} />
            <Execution {...shown} />
          </>
        ) : null}
      </div>
    </Panel>
  )
}

/** Why the service could not register executions that it found. */
function FailedRegistrations({ id }: Pick<Shown, 'id'>) {
  const { organizationId } = useMembership()
  const { data } = useQuery({
    queryKey: [organizationId, 'execution-jobs', id],
    queryFn: () =>
      read<readonly OperatingSystemJob[]>(organizationId, '/jobs', {
        kind: 'PROPOSAL_EXECUTION',
        subjectId: id,
        limit: 20,
      }),
    refetchInterval: 30_000,
  })
  return failedRegistrations(data ?? []).map(({ id: jobId, finishedAt, error }) => (
    <p key={jobId} role="alert">
      {finishedAt ? <Time at={finishedAt} /> : null} The service found an execution and could not
      register it. {error?.message} <code>{error?.code}</code>
    </p>
  ))
}

/** Registers the transaction that the owners sent. */
function Execution({ id, version }: Shown) {
  const { role } = useMembership()
  const fieldId = useId()
  const { change, send, fault, isSending } = useChange()
  const [hash, setHash] = useState('')
  const isHash = /^0x[0-9a-fA-F]{64}$/.test(hash.trim())
  const register = () =>
    void change(async () => {
      await send({
        method: 'POST',
        path: `/proposals/${id}/safe-submissions`,
        ifMatch: version,
        body: { transactionHash: hash.trim(), reason: 'Execution registered in the console' },
      })
    })
  return (
    <div className={formStyles.form}>
      <p className={styles.quiet}>
        The service registers the execution when it next reads the Safe. To register it now, paste
        the transaction hash.
      </p>
      <div className={formStyles.field}>
        <label htmlFor={fieldId}>Transaction hash of the execution</label>
        <input
          id={fieldId}
          value={hash}
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => setHash(target.value)}
        />
      </div>
      <div className={styles.actions}>
        <ChangeButton
          look="primary"
          disabledReason={
            permissionReason(role, 'operate') ??
            (isSending ? 'Reading the chain…' : isHash ? null : 'Paste the hash from the wallet.')
          }
          onClick={register}
        >
          Register execution
        </ChangeButton>
      </div>
      {fault === null ? null : <Fault error={fault} />}
    </div>
  )
}

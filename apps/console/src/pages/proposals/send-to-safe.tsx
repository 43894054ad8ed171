import type { contract } from '@liquidity-os/contract'
import { useId, useState } from 'react'
import { useChange } from '../../api/changes.ts'
import { useMembership } from '../../api/queries.ts'
import { permissionReason } from '../../declared/disabled-reasons.ts'
import formStyles from '../../forms/form.module.css'
import { ChangeButton } from '../../ui/button.tsx'
import { Fault, Notice } from '../../ui/notice.tsx'
import { Fold } from '../../ui/parts.tsx'
import styles from '../pages.module.css'
import {
  browserWallet,
  type OwnerSignature,
  safeTypedData,
  signInWallet,
  walletProblem,
} from './browser-wallet.ts'

type Packet = contract.ProposalWorkspace['packets'][number]

interface Sending {
  readonly id: string
  readonly version: string
  readonly action: contract.ProposalWorkspace['action']
  readonly packet: Packet
}

/** Signs a packet as an owner and puts it into the queue of the Safe. */
export function SendToSafe({ id, version, action, packet }: Sending) {
  const { role } = useMembership()
  const fieldId = useId()
  const { change, send, fault, isSending } = useChange()
  const [owner, setOwner] = useState('')
  const [signature, setSignature] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const wallet = browserWallet()
  const { safeTx, hashes, packetIndex } = packet
  const queue = (signed: OwnerSignature) =>
    send({
      method: 'POST',
      path: `/proposals/${id}/safe-proposals`,
      ifMatch: version,
      body: { packetIndex, ...signed, reason: 'Sent from the console' },
    })
  const sign = () =>
    void change(async () => {
      if (!wallet) return
      setProblem(null)
      const { chainId, safeAddress } = action
      const typedData = safeTypedData(chainId, safeAddress, safeTx, hashes.nonce)
      const signed = await signInWallet(wallet, typedData).catch((error: unknown) => {
        setProblem(walletProblem(error))
        return null
      })
      if (signed) await queue(signed)
    })
  const isWhole =
    /^0x[0-9a-fA-F]{40}$/.test(owner.trim()) && /^0x[0-9a-fA-F]{130}$/.test(signature.trim())
  const blocked = permissionReason(role, 'operate') ?? (isSending ? 'Sending…' : null)
  return (
    <div className={`${formStyles.form} ${styles.spaced}`}>
      <div className={styles.actions}>
        <ChangeButton
          look="primary"
          disabledReason={blocked ?? (wallet ? null : 'No wallet extension in this browser.')}
          onClick={sign}
        >
          Sign and send to Safe{'{Wallet}'}
        </ChangeButton>
      </div>
      <Fold title="Paste a signature">
        <div className={formStyles.field}>
          <label htmlFor={`${fieldId}-owner`}>Owner</label>
          <input
            id={`${fieldId}-owner`}
            value={owner}
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => setOwner(target.value)}
          />
        </div>
        <div className={formStyles.field}>
          <label htmlFor={`${fieldId}-signature`}>Signature over the Safe transaction hash</label>
          <input
            id={`${fieldId}-signature`}
            value={signature}
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => setSignature(target.value)}
          />
        </div>
        <div className={styles.actions}>
          <ChangeButton
            disabledReason={blocked ?? (isWhole ? null : 'Paste an address and a signature.')}
            onClick={() =>
              void change(async () => {
                await queue({ owner: owner.trim(), signature: signature.trim() })
              })
            }
          >
            Send to Safe{'{Wallet}'}
          </ChangeButton>
        </div>
      </Fold>
      {problem === null ? null : (
        <Notice tone="warn" title="Not signed">
          <p>{problem}</p>
        </Notice>
      )}
      {fault === null ? null : <Fault error={fault} />}
    </div>
  )
}

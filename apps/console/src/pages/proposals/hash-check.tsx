import type { contract } from '@liquidity-os/contract'
import { Notice } from '../../ui/notice.tsx'
import { Copied } from '../../ui/parts.tsx'
import styles from '../pages.module.css'
import { safeHashes } from './safe-hash.ts'

type Proposal = contract.ProposalWorkspace
type Packet = Proposal['packets'][number]

/**
 * The Safe hashes in signing order. Recomputes each hash from the packet in the browser and compares
 * it with the hash from the service.
 */
export function HashCheck({ packets, action }: Pick<Proposal, 'packets' | 'action'>) {
  return (
    <>
      {packets.map((packet) => (
        <PacketHashes key={packet.packetIndex} packet={packet} action={action} />
      ))}
    </>
  )
}

function PacketHashes({
  packet: { packetIndex, safeTx, hashes },
  action,
}: { packet: Packet } & Pick<Proposal, 'action'>) {
  const own = safeHashes(action.chainId, action.safeAddress, safeTx, hashes.nonce)
  const isEqual =
    own.domainHash === hashes.domainHash &&
    own.messageHash === hashes.messageHash &&
    own.safeTxHash === hashes.safeTxHash
  const rows = [
    ['Domain hash', hashes.domainHash],
    ['Message hash', hashes.messageHash],
    ['Safe transaction hash', hashes.safeTxHash],
  ] as const
  return (
    <div className={styles.packetHashes}>
      {isEqual ? (
        <p>
          Transaction {packetIndex + 1}, nonce {hashes.nonce}
          {hashes.isNonceFixed ? '' : ' (next Safe nonce)'}. Hashes verified in this browser.
        </p>
      ) : (
        <Notice tone="bad" title={`Transaction ${packetIndex + 1}: hash mismatch`}>
          <p>Do not sign. This browser computes other hashes than the service states.</p>
        </Notice>
      )}
      <dl className={styles.facts}>
        {rows.map(([name, hash]) => (
          <div key={name} className={`${styles.fact} ${styles.wideNames}`}>
            <dt className={styles.factName}>{name}</dt>
            <dd>
              <Copied text={hash} label={name} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

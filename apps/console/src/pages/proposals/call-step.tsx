import { Notice } from '../../ui/notice.tsx'
import ui from '../../ui/ui.module.css'
import styles from '../pages.module.css'
import { FullAddress } from './addresses.tsx'
import type { DecodedCall, Effect } from './call-effects.ts'

/**
 * A call as a sentence, with the full addresses to compare.
 *
 * @param transaction number of its Safe transaction; null if there is one only
 */
export function CallStep({
  call,
  effect: { text, addresses, isUnknown },
  transaction,
}: {
  call: DecodedCall
  effect: Effect
  transaction: number | null
}) {
  return (
    <>
      <strong>{text}</strong>
      {transaction === null ? null : <small> Transaction {transaction}</small>}
      <dl className={styles.facts}>
        {addresses.map(({ label, address }) => (
          <div key={label} className={styles.fact}>
            <dt className={styles.factName}>{label}</dt>
            <dd>
              <FullAddress address={address} />
            </dd>
          </div>
        ))}
      </dl>
      {isUnknown ? <UnknownCall call={call} /> : null}
    </>
  )
}

function UnknownCall({ call: { selector, data } }: { call: DecodedCall }) {
  return (
    <Notice tone="warn" title="Check the call data with the contract">
      {selector === null ? null : (
        <p>
          Function selector <code>{selector}</code>
        </p>
      )}
      <pre className={ui.code}>{data}</pre>
    </Notice>
  )
}

import { useMemo } from 'react'
import type { Assets } from '../../../fields/units.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Panel } from '../../../ui/parts.tsx'
import styles from '../../pages.module.css'
import { NamedAddresses } from '../addresses.tsx'
import { effectsOf } from '../call-effects.ts'
import { CallStep } from '../call-step.tsx'
import type { DescribedCall } from './encode-calls.ts'
import { isUnreadSafeCall, type SafeState } from './proposal-terms.ts'

/** The effect of the call in the sentence that reviewers will read. */
export function Preview({
  described,
  state,
  assetOf,
}: {
  described: DescribedCall | null
  state: SafeState
  assetOf: Assets
}) {
  const text = described === null ? '' : addressesIn(described)
  const addresses = useMemo(() => text.split(' ').filter(Boolean), [text])
  return (
    <Panel title="What will happen">
      {described === null ? (
        <p>Complete the fields above.</p>
      ) : (
        <NamedAddresses chainId={state.chainId} safeAddress={state.safe} addresses={addresses}>
          <Effect described={described} state={state} assetOf={assetOf} />
        </NamedAddresses>
      )}
    </Panel>
  )
}

function Effect({
  described,
  state,
  assetOf,
}: {
  described: DescribedCall
  state: SafeState
  assetOf: Assets
}) {
  const { decoded } = described
  const { safe, owners, threshold } = state
  const [effect] = effectsOf([decoded], { safe, control: { owners, threshold }, assetOf })
  if (!effect) return null
  return (
    <>
      <ol className={styles.calls}>
        <li>
          <CallStep call={decoded} effect={effect} transaction={null} />
        </li>
      </ol>
      {isUnreadSafeCall(described, safe) ? (
        <Notice tone="warn" title="This call changes the Safe itself">
          <p>It can change owners, modules and guards. An error can lock the Safe permanently.</p>
        </Notice>
      ) : null}
      <p className={styles.quiet}>
        The service decodes and simulates the call when you create the proposal. Nothing moves until
        the owners sign.
      </p>
    </>
  )
}

/** Addresses of the call, in lower case and separated by spaces. */
const addressesIn = ({ decoded: { to, arguments: given } }: DescribedCall): string => {
  const texts = [to, ...(given ?? []).map(({ value }) => String(value))]
  const addresses = texts.filter((one) => /^0x[0-9a-fA-F]{40}$/.test(one))
  return [...new Set(addresses.map((one) => one.toLowerCase()))].join(' ')
}

import type { contract } from '@liquidity-os/contract'
import { Notice } from '../../ui/notice.tsx'
import styles from '../pages.module.css'
import { FullAddress } from './addresses.tsx'
import { warningsOf } from './proposal-flags.ts'

/** Warnings of a proposal. Blocking warnings come first. */
export function Warnings({ flags, action }: Pick<contract.ProposalWorkspace, 'flags' | 'action'>) {
  return (
    <>
      {action.actionType === 'OWNER_CHANGE' ? (
        <Notice tone="warn" title="Changes who controls the Safe">
          <p>Check each address with its owner through another channel.</p>
        </Notice>
      ) : null}
      {warningsOf(flags).map(({ code, title, meaning, isBlocking, addresses, details }) => (
        <Notice
          key={code}
          tone={isBlocking ? 'bad' : 'warn'}
          title={isBlocking ? `${title}: approval is not possible` : title}
        >
          <p>{meaning}</p>
          {details.map((detail) => (
            <p key={detail}>{detail}</p>
          ))}
          {addresses.length === 0 ? null : (
            <ul className={styles.plainList}>
              {addresses.map((address) => (
                <li key={address}>
                  <FullAddress address={address} />
                </li>
              ))}
            </ul>
          )}
        </Notice>
      ))}
    </>
  )
}

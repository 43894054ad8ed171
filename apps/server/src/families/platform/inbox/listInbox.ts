import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { limits } from '../../../limits.ts'
import { alertItems } from './alert-items.ts'
import { dueItems } from './due-items.ts'

const ranks = { CRITICAL: 0, WARNING: 1, INFO: 2 } as const

/** Reads what waits for the caller through indexes of names and current records. */
export default handle(contract.listInbox, async ({ actor, records }): Promise<Outcome> => {
  const found = await Promise.all([dueItems(records, actor), alertItems(records, actor)])
  const items = found.flat().toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
  const data: contract.Inbox = { items: items.slice(0, limits.inboxItems), total: items.length }
  return { data }
})

/** Sort key: worst first, then the earliest due time. Items that are not due come last. */
const placeOf = ({ severity, dueAt, kind, subject }: contract.InboxItem) =>
  `${ranks[severity]}|${dueAt ?? '~'}|${kind}|${subject.id}`

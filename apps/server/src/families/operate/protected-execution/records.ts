import { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { HeldName, RecordState } from '../../../family-parts.ts'
import { dueName, overdueNames } from '../../../jobs/overdue.ts'
import { recordFamily } from '../../record-family.ts'
import { foldLegs } from './legs/leg-chain.ts'
import { dueKind, flightKind, namesOfLegs } from './legs/leg-names.ts'

export type QuoteRequestRecord = VersionedRecord<contract.QuoteRequest>
export type QuoteRecord = VersionedRecord<contract.ExecutionQuote>
export type QuoteSetRecord = VersionedRecord<contract.QuoteSet>
export type PlanRecord = VersionedRecord<contract.ProtectedExecutionPlan>

const requestDue = 'quote-request-due'
const quoteDue = 'quote-due'
const quoteNonce = 'quote-nonce'
const setDue = 'quote-set-due'

const due = (kind: string, status: string, until: string, id: string): HeldName[] =>
  status === 'ACTIVE' ? [{ kind, name: dueName(new Date(until).toISOString(), id) }] : []

export const quoteRequests = recordFamily(contract.quoteRequestFamily, {
  names: ({ id, status, payload }) => due(requestDue, status, payload.respondBy, id),
  nameKinds: [requestDue],
})

/** A nonce can be used only once, independent of its quote's fate. */
export const nonceName = (name: string) => ({ kind: quoteNonce, name })

export const executionQuotes = recordFamily(contract.executionQuoteFamily, {
  names: ({ id, status, payload }) => [
    nonceName(payload.nonceName),
    ...due(quoteDue, status, payload.validUntil, id),
  ],
  nameKinds: [quoteNonce, quoteDue],
})

export const quoteSets = recordFamily(contract.quoteSetFamily, {
  names: ({ id, status, payload }) => due(setDue, status, payload.closesAt, id),
  nameKinds: [setDue],
})

export const executionPlans = recordFamily(contract.executionPlanFamily, {
  nameKinds: [dueKind, flightKind],
  held: ({ id, status, payload }: RecordState, events) => {
    const plan = payload as contract.ProtectedExecutionPlan
    return namesOfLegs({ id, status, payload: plan }, foldLegs(plan, events))
  },
})

const actor = 'execution-clock'
export const expireRequests = quoteRequests.expiry({
  actor,
  overdue: overdueNames(requestDue),
  event: 'quote_request.expired',
  until: ({ respondBy }) => respondBy,
})
export const expireQuotes = executionQuotes.expiry({
  actor,
  overdue: overdueNames(quoteDue),
  event: 'quote.expired',
  until: ({ validUntil }) => validUntil,
})
export const expireSets = quoteSets.expiry({
  actor,
  overdue: overdueNames(setDue),
  event: 'quote_set.expired',
  until: ({ closesAt }) => closesAt,
})

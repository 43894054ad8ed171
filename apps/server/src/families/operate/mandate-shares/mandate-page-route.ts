import { errorCatalogue, extensionOperations } from '@liquidity-os/contract/outline'
import { Failure } from '../../../failure.ts'
import type { Bound } from '../../../http/bound.ts'
import { incomingOf } from '../../../http/incoming.ts'
import type { Answer } from '../../../http/ready-answer.ts'
import { extraRoute } from '../../../http/route.ts'
import { failurePage, mandatePage, mandatePolicy } from './mandate-page.ts'

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `${mandatePolicy}; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
}

const read = extensionOperations.find(({ id }) => id === 'getSharedMarketMakerMandate')
if (!read) throw new Error('The operation of shared mandates does not exist.')
const operation = read

const bound: Bound = {
  operation,
  readsRecordOf: null,
  validators: () =>
    import('../../../http/validators.ts').then(({ validatorsOf }) => validatorsOf(operation.id)),
  handler: async () => {
    const { openMandate } = await import('./shared-mandate.ts')
    return {
      operation,
      run: async ({ params, services, now }) => {
        const { slug = '' } = params as { slug?: string }
        const mandate = await openMandate(services, slug, now)
        if (!mandate) throw new Failure('LIQUIDITY_PUBLIC_MANDATE_UNAVAILABLE')
        return { text: mandatePage(mandate, { slug, baseUrl: services.config.baseUrl }), headers }
      },
    }
  },
}

/** Page of a shared mandate, with the fields of `getSharedMarketMakerMandate`. */
export const mandatePageRoute = extraRoute({
  id: 'showMandate',
  method: 'GET',
  path: '/m/{slug}',
  answer: (request) => request.pipeline.serve(bound, incomingOf(operation, request)),
  refusal: (failure): Answer => ({
    status: failure.status,
    headers: { ...headers },
    body: failurePage(failure.message, errorCatalogue[failure.code].remediation),
  }),
})

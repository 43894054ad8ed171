import type { contract } from '@liquidity-os/contract'
import { errorCatalogue, operations } from '@liquidity-os/contract/outline'
import { Failure } from '../../../failure.ts'
import type { Bound } from '../../../http/bound.ts'
import { incomingOf } from '../../../http/incoming.ts'
import type { Answer } from '../../../http/ready-answer.ts'
import type { Reply } from '../../../http/reply.ts'
import { extraRoute, type RouteRequest } from '../../../http/route.ts'
import { pagePolicy } from '../../../reports/page.ts'
import { tokenFailurePage, tokenPage } from './token-page.ts'

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `${pagePolicy}; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
  'cache-control': 'no-store',
}

/**
 * Public token page with the content and limits of `resolvePublicProject`. Without a chain in the
 * URL, all chains of the deployment are tried.
 */
export const tokenPageRoutes = [
  extraRoute({
    id: 'showToken',
    method: 'GET',
    path: '/token/{chainId}/{address}',
    refusal: refused,
    answer: (request) => {
      const { chainId, address } = request.params
      return show(request, { chainId: Number(chainId), address })
    },
  }),
  extraRoute({
    id: 'showToken',
    method: 'GET',
    path: '/token/{address}',
    refusal: refused,
    answer: (request) => show(request, { query: request.params.address }),
  }),
]

const resolve = operations.find(({ id }) => id === 'resolvePublicProject')

function show(request: RouteRequest, identifier: object): Promise<Reply> {
  if (!resolve) throw new Error('Operation resolvePublicProject does not exist.')
  if (Object.keys(request.query).length > 0) {
    throw new Failure('PUBLIC_PROJECT_INVALID_INPUT', {
      fieldErrors: { query: [`must be empty, got ${Object.keys(request.query).join(', ')}`] },
    })
  }
  const bound: Bound = {
    operation: resolve,
    readsRecordOf: null,
    validators: () =>
      import('../../../http/validators.ts').then(({ validatorsOf }) => validatorsOf(resolve.id)),
    handler: async () => ({
      operation: resolve,
      run: async ({ body, services }) => {
        const { publicFailure } = await import('./public-failure.ts')
        try {
          const { findToken } = await import('./find-token.ts')
          // The validators of the operation have checked it.
          const found = await findToken(services, body as unknown as contract.PublicIdentifier)
          if (found.faults) {
            throw new Failure('PUBLIC_PROJECT_INVALID_INPUT', { fieldErrors: found.faults })
          }
          return { text: tokenPage(found.reading.analysis, services.config.baseUrl), headers }
        } catch (error) {
          throw publicFailure(error, 'PUBLIC_PROJECT')
        }
      },
    }),
  }
  return request.pipeline.serve(bound, {
    ...incomingOf(resolve, { ...request, params: {} }),
    body: () => identifier,
  })
}

function refused(failure: Failure): Answer {
  const { code, status } = failure
  return {
    status,
    headers: { ...headers },
    body: tokenFailurePage(failure, errorCatalogue[code].remediation),
  }
}

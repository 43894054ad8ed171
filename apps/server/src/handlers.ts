import { extensionOperations, operations } from '@liquidity-os/contract/outline'
import { families } from './families.ts'
import type { Handler } from './http/handler.ts'

type Load = () => Promise<{ default: Handler }>

/** How the handler of every operation that this release serves is loaded, with the first request for it. */
export const handlers: Readonly<Record<string, Load>> = Object.fromEntries(
  [...operations, ...extensionOperations]
    .filter(({ module }) => module !== null && module in families)
    .map(({ id, module }) => [id, () => loadHandler(`${module}`, id)]),
)

async function loadHandler(moduleName: string, id: string): Promise<{ default: Handler }> {
  const family = await families[moduleName]?.()
  const found = family?.family.operations[id]
  if (!found) throw new Error(`The family ${moduleName} has no handler for ${id}.`)
  return typeof found === 'function' ? found() : { default: found }
}

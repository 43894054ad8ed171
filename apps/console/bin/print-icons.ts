import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installTool } from '../../../tools/install.ts'

/** The icons that the console draws. To add one, write its name here and run this file. */
const names = [
  'activity',
  'archive',
  'arrow-right',
  'bell',
  'bell-ring',
  'book-open',
  'bookmark',
  'calendar-clock',
  'chart-line',
  'check',
  'check-check',
  'circle-alert',
  'circle-dashed',
  'circle-dot',
  'circle-slash',
  'clock',
  'download',
  'droplets',
  'flask-conical',
  'gauge',
  'gift',
  'git-branch',
  'globe',
  'hourglass',
  'house',
  'inbox',
  'key',
  'key-round',
  'link',
  'loader',
  'map',
  'megaphone',
  'menu',
  'moon',
  'package',
  'pause',
  'plug',
  'plus',
  'receipt',
  'rocket',
  'route',
  'scale',
  'scan-eye',
  'search',
  'share-2',
  'shield-check',
  'sliders-horizontal',
  'sun',
  'target',
  'triangle-alert',
  'vault',
  'vote',
  'webhook',
  'x',
]

const root = fileURLToPath(new URL('../../../', import.meta.url))
const generated = join(root, 'apps/console/src/ui/generated')

/** The files of the icons, by name: the shapes as a module, and the license of their source. */
export async function printIcons(): Promise<Map<string, string>> {
  const source = join(installTool('lucide'), 'lucide-react')
  const { version } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'))
  const lines: string[] = []
  for (const name of names) {
    const shapes = (await loadShapes(source, name)).map(([tag, attributes]) => {
      // React needs keys only for elements that change their order.
      const { key: _, ...drawn } = attributes
      return [tag, drawn]
    })
    lines.push(`  ${JSON.stringify(name)}: ${JSON.stringify(shapes)},`)
  }
  const origin = `apps/console/bin/print-icons.ts from lucide-react ${version}`
  const text = `// Printed by ${origin}; not edited by hand. Its license is in lucide.txt.
/** Elements of an icon in a square of 24, by the name of the icon. */
export const iconShapes: Record<string, [tag: string, attributes: object][]> = {
${lines.join('\n')}
}
`
  const license = readFileSync(join(source, 'LICENSE'), 'utf8')
  return new Map([
    ['icon-shapes.ts', text],
    ['lucide.txt', license],
  ])
}

type Shape = [tag: string, attributes: Record<string, string>]

/** The elements of an icon. A former name only points to the file of the present one. */
async function loadShapes(source: string, name: string): Promise<Shape[]> {
  const file = join(source, `dist/esm/icons/${name}.mjs`)
  const [, present] =
    /export { default } from '.\/([\w-]+).mjs'/.exec(readFileSync(file, 'utf8')) ?? []
  if (present !== undefined) return loadShapes(source, present)
  const { __iconData: icon } = await import(file)
  return icon.node
}

if (import.meta.main) {
  for (const [file, text] of await printIcons()) writeFileSync(join(generated, file), text)
}

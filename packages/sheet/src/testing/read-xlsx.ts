import { spawnSync } from 'node:child_process'

/** A cell as an independent reader finds it: the stored text, and what surrounds it. */
export interface ReadCell {
  readonly type: string
  readonly text: string | null
  readonly formula: string | null
  readonly style: number
}

export interface ReadWorkbook {
  readonly sheets: Readonly<Record<string, Readonly<Record<string, ReadCell>>>>
  readonly names: Readonly<Record<string, string>>
  readonly isCalculatedOnLoad: boolean
}

/** Python's `zipfile` checks the checksums, and its XML parser the form of each part. */
const script = `
import io, json, re, sys, zipfile
import xml.etree.ElementTree as tree
m = '{http://schemas.openxmlformats.org/spreadsheetml/2006/main}'
r = '{http://schemas.openxmlformats.org/officeDocument/2006/relationships}'
z = zipfile.ZipFile(io.BytesIO(sys.stdin.buffer.read()))
assert z.testzip() is None
types = tree.fromstring(z.read('[Content_Types].xml'))
parts = {o.get('PartName')[1:] for o in types if o.get('PartName')}
assert parts == {n for n in z.namelist() if n.startswith('xl/') and not n.endswith('.rels')}, parts
targets = {o.get('Id'): 'xl/' + o.get('Target') for o in tree.fromstring(z.read('xl/_rels/workbook.xml.rels'))}
styles = len(tree.fromstring(z.read('xl/styles.xml')).find(m + 'cellXfs'))
book = tree.fromstring(z.read('xl/workbook.xml'))
unescape = lambda t: re.sub('_x([0-9A-F]{4})_', lambda f: chr(int(f.group(1), 16)), t)
sheets = {}
for sheet in book.find(m + 'sheets'):
    cells = {}
    rows = []
    for row in tree.fromstring(z.read(targets[sheet.get(r + 'id')])).iter(m + 'row'):
        rows.append(int(row.get('r')))
        for c in row:
            style = int(c.get('s', '0'))
            assert style < styles
            kind = c.get('t', 'n')
            shown = c.find(m + 'is/' + m + 't') if kind == 'inlineStr' else c.find(m + 'v')
            formula = c.find(m + 'f')
            text = None if shown is None else shown.text or ''
            cells[c.get('r')] = dict(type=kind, text=unescape(text) if kind == 'inlineStr' else text,
                formula=None if formula is None else formula.text, style=style)
    assert rows == sorted(set(rows))
    sheets[sheet.get('name')] = cells
names = book.find(m + 'definedNames')
print(json.dumps(dict(sheets=sheets, isCalculatedOnLoad=book.find(m + 'calcPr').get('fullCalcOnLoad') == '1',
    names={} if names is None else {n.get('name'): n.text for n in names})))
`

/** Reads a workbook without our own code. */
export function readXlsx(bytes: Uint8Array): ReadWorkbook {
  const { status, stdout, stderr } = spawnSync('python3', ['-c', script], {
    input: bytes,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  if (status !== 0) throw new Error(`The workbook is not valid: ${stderr}`)
  return JSON.parse(stdout) as ReadWorkbook
}

/** Styles of the guide: light and dark, from a phone to a wide screen, and print. */
export const guideStyle = `:root { color-scheme: light dark; font: 16px/1.65 system-ui, sans-serif;
  --ground: light-dark(#fff, #10151b); --raised: light-dark(#f4f6f8, #18202a); --text: light-dark(#14202b, #e8edf2);
  --quiet: light-dark(#52616f, #9fb0c0); --line: light-dark(#d5dde4, #2b3743); --link: light-dark(#0b5cad, #7db8f5); }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); }
a { color: var(--link); text-underline-offset: .15em; }
:focus-visible { outline: 3px solid #f2a33a; outline-offset: 2px; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: .5rem; z-index: 2; background: var(--ground); padding: .25rem .5rem; }
header { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; align-items: center;
  padding: .6rem 1.25rem; background: var(--ground); border-bottom: 1px solid var(--line); }
.brand { font-weight: 700; color: var(--text); text-decoration: none; }
form[role=search] { display: flex; flex: 1 1 14rem; max-width: 34rem; gap: .4rem; }
input, button { font: inherit; color: inherit; border: 1px solid var(--line); border-radius: 8px; padding: .3rem .7rem; }
input { flex: 1; min-width: 0; background: var(--raised); }
button { background: #0b5cad; border-color: #0b5cad; color: #fff; cursor: pointer; }
header nav { margin-left: auto; display: flex; gap: 1rem; }
.columns { display: grid; grid-template-columns: 16rem minmax(0, 1fr); max-width: 88rem; margin: 0 auto; }
.pages { padding: 1.25rem; border-right: 1px solid var(--line); font-size: .95rem; }
@media (min-width: 60rem) { .pages { position: sticky; top: 3.4rem; align-self: start; max-height: calc(100vh - 3.4rem); overflow-y: auto; } }
.pages summary { cursor: pointer; font-weight: 600; padding: .25rem 0; }
.pages ul { list-style: none; margin: 0 0 .5rem; padding: 0 0 0 .9rem; }
.pages li a { display: block; padding: .15rem 0; text-decoration: none; }
.pages li a[aria-current] { color: var(--text); font-weight: 600; }
main { padding: 1.5rem clamp(1rem, 4vw, 3rem) 4rem; min-width: 0; }
article, .lead, .found { max-width: 48rem; }
article > .table, article > pre { max-width: none; width: fit-content; min-width: min(48rem, 100%); }
tr[id] { scroll-margin-top: 4.5rem; }
header .all { display: none; }
@media (max-width: 60rem) { header .all { display: inline; } }
h1, h2, h3, h4 { line-height: 1.25; margin: 2.2em 0 .6em; scroll-margin-top: 4.5rem; text-wrap: balance; }
h1 { margin-top: 0; font-size: 2rem; }
h1 > a, h2 > a, h3 > a, h4 > a { color: inherit; text-decoration: none; }
h2 > a:hover, h3 > a:hover { text-decoration: underline; }
.lead { font-size: 1.15rem; color: var(--quiet); }
code { font: .9em/1.5 ui-monospace, monospace; background: var(--raised); border-radius: 4px; padding: .1em .3em; overflow-wrap: anywhere; }
pre { overflow-x: auto; max-width: 100% !important; background: var(--raised); border: 1px solid var(--line); border-radius: 8px; padding: .9rem 1rem; }
pre code { background: none; padding: 0; overflow-wrap: normal; }
pre.answer { background: none; border-left: 4px solid var(--link); border-radius: 0 8px 8px 0; margin-top: -.6rem; }
.table { overflow-x: auto; max-width: 100% !important; margin: 1rem 0; }
table { border-collapse: collapse; font-size: .95rem; }
th, td { text-align: left; vertical-align: top; padding: .45rem .8rem .45rem 0; border-bottom: 1px solid var(--line); }
img { max-width: 100%; height: auto; background: #fff; border-radius: 8px; }
.contents { float: right; width: 14rem; margin: 0 0 1rem 2rem; padding: .2rem 0 .2rem 1rem; border-left: 2px solid var(--line); font-size: .9rem; }
.contents ul { list-style: none; margin: 0; padding: 0; }
.contents a { text-decoration: none; }
@media (min-width: 80rem) { main { position: relative; padding-right: 18rem; } .contents { position: absolute; right: 1.5rem; top: 1.5rem; margin: 0; } }
.turn { display: flex; justify-content: space-between; gap: 1rem; margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line); max-width: 48rem; }
.doors { display: flex; flex-wrap: wrap; gap: .75rem; }
.doors a { padding: .5rem 1rem; border: 1px solid var(--line); border-radius: 8px; text-decoration: none; background: var(--raised); }
.parts { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: 0 2rem; }
.parts h2 { font-size: 1.05rem; margin: 1.5rem 0 .4rem; }
.parts ul { margin: 0; padding-left: 1.1rem; }
.found { padding-left: 1.2rem; }
.found p { margin: .2rem 0 1.1rem; color: var(--quiet); overflow-wrap: anywhere; }
small { color: var(--quiet); }
tr:target td { background: light-dark(#fff4d6, #3a3013); }
@media (max-width: 60rem) { .columns { display: flex; flex-direction: column-reverse; } .pages { border: 0; border-top: 1px solid var(--line); }
  .contents { float: none; width: auto; margin: 0 0 1.5rem; } header { position: static; } }
@media print { header, .pages, .contents, .turn { display: none; } .columns { display: block; } }
`

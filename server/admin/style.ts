/** The colours are those of app/_ui/styles/tokens.css; a test compares them. */
export const STYLE = `:root{color-scheme:light dark;--ground:light-dark(#f6f8f7,#0e1514);--surface:light-dark(#ffffff,#151e1c);--ink:light-dark(#0f1f1c,#e8f0ee);--muted:light-dark(#485854,#a7b6b2);--line:light-dark(#d3dcd9,#2c3836);--accent:light-dark(#0b5b54,#63c9ba);--accent-strong:light-dark(#073f3a,#8bddd1);--on-accent:light-dark(#ffffff,#04211d);--accent-soft:light-dark(#dbede8,#16332f);--accent-ink:light-dark(#0a4d47,#93dfd4);--caution-soft:light-dark(#fff1d2,#33270f);--caution-ink:light-dark(#5e3b00,#ffd88a);--danger-soft:light-dark(#fde8e5,#3a1a17);--danger-ink:light-dark(#8a1c14,#ffb9b1);--focus:light-dark(#1f3fd6,#9db2ff)}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
header,main{max-width:72rem;margin-inline:auto;padding:1.25rem clamp(1rem,4vw,2.5rem)}
header{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:center}
h1{margin:0;font-size:1.5rem}
h2{margin:0 0 .75rem;font-size:1.125rem}
header p{margin:0;color:var(--muted)}
nav{display:flex;flex-wrap:wrap;gap:0 1.25rem;flex-basis:100%}
a{color:var(--accent);min-height:2.75rem;display:inline-flex;align-items:center}
main{display:grid;gap:1rem;grid-template-columns:repeat(auto-fit,minmax(min(100%,26rem),1fr))}
section{background:var(--surface);border:1px solid var(--line);border-radius:10px;padding:1.25rem;min-width:0}
.wide{grid-column:1/-1}
dl{display:grid;grid-template-columns:minmax(8rem,1fr) 2fr;gap:.5rem 1rem;margin:0}
dt{color:var(--muted)}
dd{margin:0;font-variant-numeric:tabular-nums}
dd p{margin:.25rem 0 0}
.mark{display:inline-block;padding:.0625rem .625rem;border-radius:99px;font-size:.875rem;font-weight:600;white-space:nowrap}
.good{background:var(--accent-soft);color:var(--accent-ink)}
.caution{background:var(--caution-soft);color:var(--caution-ink)}
.bad{background:var(--danger-soft);color:var(--danger-ink)}
form{margin-top:1rem}
form p{margin:0 0 .75rem;color:var(--muted)}
button{min-height:2.75rem;padding:.5rem 1.25rem;border:2px solid transparent;border-radius:6px;background:var(--accent);color:var(--on-accent);font:inherit;font-weight:600;cursor:pointer}
button:hover{background:var(--accent-strong)}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{padding:.5rem .75rem;border-bottom:1px solid var(--line);text-align:start;white-space:nowrap}
th{color:var(--muted);font-weight:400}
@media (min-width:58rem){.tall{grid-row:span 2}}
@media (max-width:58rem){
thead{display:block;position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
tr{display:block;padding-block:.5rem;border-top:1px solid var(--line)}
td{display:flex;justify-content:space-between;gap:1rem;padding:.25rem 0;border:0}
td::before{content:attr(data-name);color:var(--muted)}
}
ol{list-style:none;margin:0;padding:0}
li{padding:.625rem 0;border-top:1px solid var(--line)}
li small{display:block;color:var(--muted);font-size:.875rem}
:focus-visible{outline:3px solid var(--focus);outline-offset:3px}`;

import { h, render } from 'preact';
import './style.css';

const place = document.getElementById('app');
if (place) render(h('h1', null, `Holdfast at ${new URL('..', import.meta.url).pathname}`), place);

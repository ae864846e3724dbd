@if ($alpha)
@foreach ($items as $item)
{{ $item }}
@endforeach
<p>text</p>
@endif

@if ($beta)
@foreach ($items as $item)
{{ $item }}
@endforeach
<p>words</p>
@endif

@if ($gamma)
@foreach ($items as $item)
{{ $item }}
@endforeach
<p>text</p>
@endif
